"""Components in a real browser, each from a static page: no server, no network, no sleep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, expect

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


@pytest.fixture(scope="session")
def tab(chromium: Browser) -> Iterator[Page]:
    """One for all: to make a new one takes longer than most tests."""
    expect.set_options(timeout=PATIENCE)
    context = chromium.new_context(
        permissions=["clipboard-read", "clipboard-write"], offline=True, accept_downloads=True
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(tab: Page, console_errors: list[str]) -> Iterator[Page]:
    """A page that fails the test on console errors and on anything asked of a network."""

    def on_error(error: Error) -> None:
        console_errors.append(f"page error: {error}")

    def on_console(said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            console_errors.append(said.text)

    def on_request(asked: Request) -> None:
        if not asked.url.startswith(LOCAL):
            console_errors.append(f"asked {asked.url}")

    tab.goto("about:blank")
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.emulate_media(color_scheme="light", reduced_motion="no-preference")
    tab.mouse.move(0, 0)
    tab.on("pageerror", on_error)
    tab.on("console", on_console)
    tab.on("request", on_request)
    yield tab
    tab.remove_listener("pageerror", on_error)
    tab.remove_listener("console", on_console)
    tab.remove_listener("request", on_request)
    assert console_errors == []


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
