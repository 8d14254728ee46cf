"""Journeys: at most sixty stories that need a real browser, over one server and one browser.

What can be seen without a browser belongs to tests/pages, what a figure does by itself to
tests/figures. A journey is for what only happens between the two: focus and keys, Back and
reload, the clipboard, downloads, sizes of a screen, a click in a figure that the server answers.

    def test_a_clicked_patch_is_asked_about(app):
        page = app.open("vision", view="attention")           # returns when the page stands still
        figure = page.get_by_label("where [CLS] looks")
        app.act(lambda: figure.click(position={"x": 80, "y": 60}))   # … when that is answered
        expect(page.get_by_text("where patch (2, 3) looks")).to_be_visible()

Never sleep: `app.act` waits for the run number that the app writes into the DOM when a script or
fragment run is complete (app/ui/run_number.py), `expect` for what the browser does by itself.
An action that asks the server nothing (hover, a key inside a figure) needs no `act`, only
`expect`. The app is one for all: a test may leave nothing behind on the server. To look at
the page at another size:

    @pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.journeys.browser_page import App, new_reader
from tests.journeys.server import running_server


@pytest.fixture(scope="session")
def server(own_checkpoints: dict[str, Path]) -> Iterator[str]:
    """The app, offering the tiny models; yields its address."""
    offered = os.pathsep.join(map(str, own_checkpoints.values()))
    with running_server(GLASSFORMER_CHECKPOINTS=offered) as address:
        yield address


@pytest.fixture
def app(chromium: Browser, server: str, request: pytest.FixtureRequest) -> Iterator[App]:
    """A fresh reader. Whatever a test does, no console error and no foreign request."""
    reader, context = new_reader(chromium, server, **getattr(request, "param", {}))
    yield reader
    context.close()
    assert reader.errors == []
    assert reader.strangers == []
