"""Tiny models with random weights, made on the spot: no test downloads anything."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
settings.register_profile("here", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("here")

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from tests.browser import find  # noqa: E402
from tests.tiny import FAMILIES, save_tiny  # noqa: E402


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    import torch

    if not torch.cuda.is_available():
        skip = pytest.mark.skip(reason="needs a GPU")
        for item in items:
            if "gpu" in item.keywords:
                item.add_marker(skip)


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The directory of a tiny random checkpoint of a family, made once a session."""
    made: dict[str, Path] = {}

    def folder_of(family: str) -> Path:
        if family not in made:
            made[family] = save_tiny(family, tmp_path_factory.mktemp(family))
        return made[family]

    assert FAMILIES
    return folder_of


@pytest.fixture(scope="module")  # a session's would leave its event loop to all other tests
def chromium() -> Iterator[Browser]:
    """A headless Chromium: the one that `make test` found, or the system's."""
    path = find()
    if path is None:
        pytest.skip("NO CHROMIUM ON THIS MACHINE: THE BROWSER TESTS ARE SKIPPED")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()
