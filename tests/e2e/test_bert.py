"""The BERT page's stories, as a reader lives them: with bert-mini, which is on board."""

import re

import pytest
from playwright.sync_api import Page, expect

import core
from core.explain.predictions.token_distribution import token_distribution

FACT = "Paris is the capital of France."


def tokens(page: Page):
    return page.get_by_role("group", name="The text's tokens; click a word to mask it")


def candidates(page: Page, place: int):
    return page.get_by_label(f"Candidates at position {place}")


@pytest.fixture(scope="module")
def bert():
    return core.load("bert-mini")


def test_masking_filling_and_seeing_the_others_move(app, bert):
    mask, france = bert.profile().mask_id, bert.tokenizer.convert_tokens_to_ids("france")
    trace = bert.trace_edited(FACT, edits=((4, mask), (6, mask)))
    before = token_distribution(trace.logits[6])
    page = app.open("bert")
    expect(candidates(page, 4)).to_contain_text("capital")
    expect(candidates(page, 6)).to_contain_text("france")
    expect(page.get_by_text("predicted in parallel")).to_be_visible()
    told = f"“france” has rank {before.rank(france)} of 9,472"
    expect(page.get_by_text(told)).to_be_visible()
    candidates(page, 4).get_by_text("capital", exact=True).click()
    expect(candidates(page, 4)).to_have_count(0)
    expect(candidates(page, 6)).to_contain_text(f"was {before.probability(france):.3g}")
    expect(tokens(page)).to_contain_text("for capital")
    app.settled()
    tokens(page).get_by_text("paris", exact=True).click()  # one more mask
    expect(candidates(page, 1)).to_be_visible()
    app.settled()
    expect(page).to_have_url(re.compile(r"masks=\D*1\b"))
    page.reload()
    app.settled()
    expect(candidates(page, 1)).to_be_visible()
    expect(tokens(page)).to_contain_text("for capital")
    page.get_by_role("button", name="Unmask all").click()
    expect(page.get_by_text("Nothing is masked. Click a word above")).to_be_visible()


def test_masks_follow_their_words_when_the_text_changes(app):
    page = app.open("bert", text=FACT, masks="6")
    expect(candidates(page, 6)).to_contain_text("france")
    field = page.get_by_label("Sentence", exact=True)
    field.fill(f"We know that {FACT}")
    field.press("Control+Enter")
    expect(candidates(page, 9)).to_contain_text("france")


def test_from_a_mask_to_the_head_it_looked_with(app):
    page = app.open("bert", text=FACT, masks="6", head="2.5")
    expect(page.get_by_text(re.compile(r"Layer 2 · head 5: 0\.\d+ on"))).to_be_visible()
    page.get_by_text("See layer 2 · head 5 on the Attention page").click()
    expect(page.get_by_role("heading", name="Where does this head look?")).to_be_visible()
    expect(page.get_by_text("layer 2 · head 5", exact=True).first).to_be_visible()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(
        "Paris is the capital of [MASK]."
    )
