"""A page in another site's frame (the browser's end: tests/figures/test_embed_stage.py)."""

import pytest

from app.ui import embedded
from tests.pages.page import Page


@pytest.fixture(autouse=True)
def _framed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(embedded, "is_on", lambda: True)


def test_the_way_to_the_app_stands_in_place_of_what_can_be_taken_along():
    page = Page("attention", heads="2.1")
    assert page.answer.startswith("In layer 2 · head 1")
    assert page.figures["attention.link"].header["framed"]
    assert page.files == ()
    assert "What am I looking at?" not in page.text
    assert "embedded" in page.figures


def test_controls_stay_where_the_link_asks_for_them():
    page = Page("bert", view="masks", controls="1")
    assert "embedded-controls" in page.figures
    assert page.link["controls"] == "1"
    assert page.link.keys() <= {"view", "controls"}  # and the link is bare all the same
