"""The notes of a lesson that another window plays: what it tells is drawn, nonsense is not."""

from dataclasses import asdict

import pytest

from app.components.lesson_keys import Notes
from app.content.lessons import shipped
from tests.pages.page import Page

WINDOW = "notes-window"
NOTES = Notes("Attention *now*", "One head", "Ask **them**.", "Two heads", 4, 9, 6, 2)


def test_what_the_other_window_shows_is_drawn():
    page = Page("notes")
    assert "another window of this browser" in page.text
    page.fire(WINDOW, value=asdict(NOTES))
    assert page.title[0].value == "One head"
    assert [one.value for one in page.markdown] == ["Ask **them**.", "Next: **Two heads**"]
    assert page.figures[WINDOW].header["shown"] == asdict(NOTES)
    page.fire(WINDOW, value=asdict(NOTES) | {"notes": "", "then": ""})
    assert "This is the last step" in page.text


@pytest.mark.parametrize(
    "said",
    [7, {}, {"notes": "x"}, asdict(NOTES) | {"step": "4"}, asdict(NOTES) | {"notes": "x" * 20_001}],
    ids=str,
)
def test_nonsense_changes_nothing(said: object):
    page = Page("notes")
    page.fire(WINDOW, value=said)
    assert page.title[0].value == "Notes"


def test_a_step_tells_its_notes_and_a_tour_none():
    page = Page("attention", lesson="attention.de.2")
    told = page.figures["lesson-keys"].header["notes"]
    assert told["step"] == 2
    assert told["lesson"] == "Attention in 20 Minuten"
    assert told["before"] == shipped()["attention"].steps[0].minutes
    assert Page("attention", lesson="tour.1").figures["lesson-keys"].header["notes"] is None
