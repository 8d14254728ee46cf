"""A headless browser for the tests that look at pages as a reader does."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

NO_BROWSER = "no Chromium: install one, or run `python -m playwright install chromium`"


@pytest.fixture(scope="module")  # a session's would leave an event loop behind for all others
def browser() -> Iterator[Browser]:
    """The system's Chromium, else Playwright's own."""
    system = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        path = system or playwright.chromium.executable_path
        if not Path(path).exists():
            pytest.skip(NO_BROWSER)
        try:
            launched = playwright.chromium.launch(executable_path=path)
        except Error as error:
            pytest.fail(f"{path} does not start: {error}")
        yield launched
        launched.close()
