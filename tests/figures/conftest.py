"""Components in a real browser, each from a static page: no server, no network, no sleep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.figures.harness import Figure, write_harness

PATIENCE = 20_000  # ms; only a figure that is broken waits so long
LOCAL = ("file:", "blob:", "data:")

Mount = Callable[..., Figure]


@pytest.fixture(scope="session")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_harness(tmp_path_factory.mktemp("figures"))


@pytest.fixture
def console_errors() -> list[str]:
    """What went wrong in the browser; a test that provokes an error takes it out."""
    return []


@pytest.fixture
def page(chromium: Browser, console_errors: list[str]) -> Iterator[Page]:
    """A page that fails the test on console errors and on anything asked of a network."""
    expect.set_options(timeout=PATIENCE)
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
        offline=True,
    )
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    wrong = console_errors
    opened.on("pageerror", lambda error: wrong.append(f"page error: {error}"))
    opened.on(
        "console",
        lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None,
    )
    opened.on(
        "request",
        lambda asked: None if asked.url.startswith(LOCAL) else wrong.append(f"asked {asked.url}"),
    )
    yield opened
    context.close()
    assert wrong == []


@pytest.fixture
def mount(page: Page, harness: Path) -> Mount:
    """Mount a component, and draw a frame if one is given."""

    def mounted(component: str, frame: bytes | None = None, *, width: int = 1280) -> Figure:
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(harness.as_uri())
        figure = Figure(page, component)
        if frame is not None:
            figure.show(frame)
        return figure

    return mounted
