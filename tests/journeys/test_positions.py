"""Positions in a browser: one number clicked in either of two tables, and a phone."""

import re

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from tests.journeys.browser_page import App, places


def table(page: Page, layout: str) -> Locator:
    return page.locator(f".st-key-positions-sinusoidal-{layout} .gf").first


def place_of(root: Locator, row: int, column: int) -> Position:
    left, top, wide, high = places(root)
    return {"x": left + (column + 0.5) * wide, "y": top + (row + 0.5) * high}


def test_a_number_clicked_in_one_table_is_marked_in_both_and_kept(app: App):
    page = app.open("positions")
    paper, halves = table(page, "interleaved"), table(page, "concatenated")
    expect(paper).to_be_in_viewport(ratio=0.9)
    app.act(lambda: paper.locator(".stack").click(position=place_of(paper, 12, 34)))
    expect(page.get_by_text("PE(12, 34) = sin(12 / 10000^(34/128))")).to_be_visible()
    expect(halves).to_have_attribute("data-selected", "[12,17]")
    expect(page).to_have_url(re.compile(r"cell=12\.34"))
    app.act(lambda: halves.locator(".stack").click(position=place_of(halves, 5, 64 + 3)))
    expect(paper).to_have_attribute("data-selected", "[5,7]")
    expect(page).to_have_url(re.compile(r"cell=5\.7"))
    app.act(page.reload)
    expect(page.get_by_text("PE(5, 7) = cos(5 / 10000^(6/128))")).to_be_visible()
    expect(table(page, "concatenated")).to_have_attribute("data-selected", "[5,67]")


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_shows_every_view_without_scrolling_sideways(app: App):
    for view in ("sinusoidal", "shift", "learned", "relative", "order"):
        page = app.open("positions", view=view)
        expect(page.locator("[data-painted]").first).to_be_visible()
        assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth") <= 390
