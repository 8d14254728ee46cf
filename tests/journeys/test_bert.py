"""BERT: words are masked and filled by clicks, masks move as one types, a head leads on."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.browser_page import App

FACT = "Paris is the capital of France."


def candidates(page: Page, place: int) -> Locator:
    return page.get_by_label(f"Candidates at position {place}")


def test_masking_filling_and_seeing_the_others_move(app: App):
    page = app.open("bert")
    tokens = page.get_by_role("group", name="The text's tokens; click a word to mask it")
    app.act(candidates(page, 4).get_by_text("capital", exact=True).click)
    expect(candidates(page, 4)).to_have_count(0)
    expect(candidates(page, 6)).to_contain_text("was ")
    app.act(tokens.get_by_text("paris", exact=True).click)
    expect(candidates(page, 1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"masks=\D*1\b"))
    page.reload()
    expect(candidates(page, 1)).to_be_visible()
    expect(tokens).to_contain_text("for capital")


def test_masks_follow_their_words_when_the_text_is_typed_over(app: App):
    page = app.open("bert", text=FACT, masks="6")
    app.write("Sentence", f"We know that {FACT}")
    expect(candidates(page, 9)).to_contain_text("france")


def test_from_a_mask_to_the_head_it_looked_with(app: App):
    page = app.open("bert", text=FACT, masks="6", head="2.5")
    app.act(page.get_by_text("See layer 2 · head 5 on the Attention page").click)
    expect(page.get_by_role("heading", name="Where does this head look?")).to_be_visible()
    expect(page.get_by_text("layer 2 · head 5", exact=True).first).to_be_visible()
    expect(app.line).to_contain_text("Paris is the capital of [MASK].")
