"""Tokenizers in a browser: a token pointed at, clicked and walked to, figures taken along."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from app.style.number_format import three
from app.views.tokenizers.cuttings import COURSE
from core.tokenization import unigram
from tests.journeys.browser_page import App, places

HOSTILE = "</script><img src=x onerror=window.broken=1>"
FAMILY = "👨‍👩‍👧‍👦"


def lanes(page: Page) -> Locator:
    return page.locator('[data-painted^="tokens"]')


def bars(page: Page) -> Locator:
    return page.locator('[data-painted*="bars over"]')


def place_of(page: Page, lane: int, token: int) -> Position:
    x, y = places(lanes(page))[lane][token]
    return {"x": x, "y": y}


def test_a_token_lights_what_covers_it_and_is_kept_by_click_and_key(app: App):
    page = app.open("tokenizers", text="unreadable keepers", tokenizers="minilm-l6,bpe")
    expect(lanes(page)).to_be_in_viewport(ratio=0.9)
    stack = lanes(page).locator(".stack")
    stack.hover(position=place_of(page, 0, 1))
    expect(lanes(page)).to_have_attribute("data-hover", "[2,5]")
    detail = lanes(page).locator(".detail")
    expect(detail.get_by_text("##rea", exact=True)).to_be_visible()
    expect(detail.get_by_text("characters 2–5, bytes 2–5")).to_be_visible()
    app.act(lambda: stack.click(position=place_of(page, 0, 1)))
    expect(page).to_have_url(re.compile("place=2-5"))
    app.act(page.reload)
    expect(lanes(page)).to_have_attribute("data-selection", "[2,5]")
    stack.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):  # un, rea, dable
        page.keyboard.press(key)
    expect(lanes(page)).to_have_attribute("data-hover", "[5,10]")
    app.act(lambda: page.keyboard.press("Enter"))
    expect(page).to_have_url(re.compile("place=5-10"))
    app.act(lambda: page.keyboard.press("Escape"))
    expect(lanes(page)).to_have_attribute("data-selection", "null")
    expect(page).not_to_have_url(re.compile("place="))


def test_markup_stays_text_and_what_is_not_seen_is_written_out(app: App):
    text = f"{HOSTILE} zero\u200bwidth {FAMILY}"
    page = app.open("tokenizers", text=text, tokenizers="minilm-l6,unigram", corpus="hug")
    expect(lanes(page).locator(".unseen table")).to_contain_text("‹200B›")
    lanes(page).locator(".stack").hover(position=place_of(page, 0, -1))
    detail = lanes(page).locator(".detail")
    expect(detail.get_by_text("U+200D zero width joiner").first).to_be_visible()
    expect(detail.get_by_text("f0 9f 91 a8").first).to_be_visible()
    assert page.evaluate("window.broken") is None


def test_figures_are_taken_along(app: App, tmp_path: Path):
    for link, figure, word in (
        ({"tokenizers": "minilm-l6"}, lanes, "lighthouse"),
        ({"view": "unigram"}, bars, "hug"),
    ):
        page = app.open("tokenizers", **link)
        assert Path(app.save("PNG", of=figure(page)).path()).read_bytes().startswith(b"\x89PNG")
        picture = Path(app.save("SVG", of=figure(page)).path()).read_text()
        assert picture.startswith("<svg")
        assert word in picture
        file = tmp_path / "figure.html"
        app.save("HTML").save_as(file)
        (painted, *_) = (figure(page).get_attribute("data-painted") or "").split(" in ")
        offline = page.context.new_page()
        offline.goto(file.as_uri())
        expect(figure(offline)).to_have_attribute("data-painted", re.compile(painted))
        offline.close()


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_shows_it_all_without_scrolling_sideways(app: App):
    for view in ("languages", "why", "wordpiece", "text", "unigram"):
        page = app.open("tokenizers", view=view, tokenizers="minilm-l6,bpe", corpus="hug")
        assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth") <= 390
    bars(page).locator(".stack").focus()
    page.keyboard.press("ArrowRight")
    un = next(
        edge
        for edge in unigram.lattice("unhug", unigram.from_frequencies(COURSE)).edges
        if edge.piece == "un"
    )
    tip = f"in {three(100 * un.posterior)} % of random cuttings (α = 1)"
    expect(bars(page).locator(".tip").get_by_text(tip)).to_be_visible()
