"""Every lesson is played on a projector, by a presenter's clicker, from its first step on."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from app.content.lessons import Step, shipped, tour
from app.ui.lesson import Place
from tests.journeys.browser_page import App, new_reader
from tests.journeys.server import running_server

FIRST = [
    Place(one.id, 0, language)
    for one in (*shipped().values(), tour())
    for language in ("", *one.languages[1:])
]
PROJECTOR = {"width": 1280, "height": 720}
WITHOUT_SCROLLING = 0.8  # of a reveal is seen
DRAWN = ".gf canvas[role], .gf [role=img], .gf button, [data-testid=stPlotlyChart], .gf table"


@pytest.fixture(scope="module")
def reader(chromium: Browser) -> Iterator[App]:
    with running_server() as address:
        app, context = new_reader(chromium, address, viewport=PROJECTOR)
        yield app
        context.close()


def click(app: App) -> None:
    """The presenter's clicker."""
    app.act(lambda: app.page.keyboard.press("PageDown"))


def see(app: App, step: Step) -> None:
    """A step as its reader has it: question, prediction, reveal, and the view's figure."""
    panel = app.page.locator(".st-key-lesson")
    expect(panel.get_by_role("heading", level=3)).to_have_text(step.title)
    if step.predict is not None:
        expect(app.page.locator(".st-key-lesson-question")).to_be_visible()
        click(app)  # who doesn't know sees
        expect(panel.locator(".st-key-lesson-reveal")).to_be_in_viewport(ratio=WITHOUT_SCROLLING)
    figures = app.page.locator(f"[data-testid=stMain] :is({DRAWN})").filter(visible=True)
    expect(figures.first).to_be_visible()
    expect(app.page.get_by_test_id("stException")).to_have_count(0)
    assert app.errors == []


@pytest.mark.parametrize("first", FIRST, ids=lambda first: first.named["lesson"])
def test_it_is_played_to_its_end(reader: App, first: Place):
    reader.open(first.shown.page, projector="1", **first.link)
    for number, step in enumerate(first.whole.steps):
        if number:
            click(reader)
        see(reader, step)
    click(reader)
    expect(reader.page.locator(".st-key-lesson")).to_have_count(0)
    assert reader.strangers == []
