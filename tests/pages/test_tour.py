"""A first visit: the tour is offered to a newcomer, on the page that they opened."""

import pytest

from app.ui import embedded
from tests.pages.page import Page

OFFER = "tour-offer"


@pytest.mark.parametrize("path", ["", "attention", "gpt"])
def test_it_is_offered_on_the_first_page_alone(path: str):
    page = Page(path)
    assert OFFER in page.figures
    assert OFFER in page.run().figures
    assert OFFER not in page.go("bert").figures


@pytest.mark.parametrize(
    "link", [{"lesson": "attention.1"}, {"room": "KX4PQ"}, {"projector": "1"}], ids=str
)
def test_whom_a_link_brought_is_not_asked(link: dict[str, str]):
    page = Page("attention", **link)
    assert OFFER not in page.figures
    assert OFFER not in page.go("gpt").go("attention").figures


def test_nobody_is_asked_in_another_pages_frame(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(embedded, "is_on", lambda: True)
    assert OFFER not in Page("attention").figures


def test_a_yes_leads_to_its_first_step():
    page = Page("attention")
    page.fire(OFFER, value=True)
    assert page.link == {"lesson": "tour.1"}
    assert "1 of 5" in page.text
    assert "minute 0" not in page.text
    assert OFFER not in page.figures


def test_anything_else_that_a_browser_says_is_no_yes():
    page = Page("attention")
    page.fire(OFFER, value="yes")
    assert "lesson" not in page.link


@pytest.mark.parametrize("path", ["", "about"])
def test_it_is_found_later(path: str):
    assert "A tour of two minutes" in [link.label for link in Page(path).get("page_link")]


def test_no_list_of_lessons_has_it():
    assert "Say first what you expect" not in Page().text
    assert "What this app shows, on its own pages." not in Page().text
