"""What the BERT page says to odd texts, odd links, and models that lack a head."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.test_bert import candidates, tokens


def test_no_mask_too_many_and_too_long(app):
    page = app.open("bert", text="A text without any mask.")
    expect(
        page.get_by_text("Nothing is masked. Click a word above, or write [MASK]")
    ).to_be_visible()
    field = page.get_by_label("Sentence", exact=True)
    field.fill("[MASK] " * 13)
    field.press("Control+Enter")
    expect(page.get_by_text("13 masks are more than the 12 that fit")).to_be_visible()
    field.fill("word " * 600)
    field.press("Control+Enter")
    expect(page.get_by_text("has 602 tokens; this model takes up to 512")).to_be_visible()
    expect(field).to_have_value("word " * 600)
    field.fill("   ")
    field.press("Control+Enter")
    expect(page.get_by_text("The text is empty. Type at least one word.")).to_be_visible()


@pytest.mark.parametrize(
    "view", ["words", "layers", "input", "pretraining", "next", "context", "tuning"]
)
def test_emoji_markup_and_nonsense_in_links(app, view):
    odd = "👩‍👩‍👧 </script><img src=x onerror=alert(1)> **bold** [MASK] match \x07"
    page = app.open(
        "bert", view=view, text=odd, passage=odd, pair=odd, question=odd,
        sentences=f"{odd}\n{odd}", word="match", masks="0,9999", fills="1.99999999", head="99.99",
        cell="400.9000", layer="77", chosen="900", start="nan", mask="300",
    )  # fmt: skip
    expect(page.get_by_role("heading", name="What am I looking at?")).to_be_visible()
    expect(page.locator("img[src='x']")).to_have_count(0)


def test_a_click_on_a_special_token_says_why_nothing_happens(app):
    page = app.open("bert", text="The cat sat.", masks="2")
    expect(candidates(page, 2)).to_be_visible()
    tokens(page).get_by_text("[SEP]").click()
    expect(page.get_by_text("[SEP] is not a word: the model always gets it.")).to_be_visible()
    expect(candidates(page, 2)).to_be_visible()


def test_a_model_without_heads_says_so_and_offers_one(app):
    page = app.open("bert", model="minilm-l6", text="The cat sat.", masks="2")
    expect(page.get_by_text("MiniLM-L6 has no masked-LM head")).to_be_visible()
    page.get_by_role("radio", name="Next sentence").click()
    expect(page.get_by_text("MiniLM-L6 has no next-sentence head")).to_be_visible()
    page.get_by_role("radio", name="Input").click()
    expect(page.get_by_text(re.compile(r"token 30,522 × 384"))).to_be_visible()
    page.get_by_role("radio", name="Masked words").click()
    page.get_by_role("button", name="Take BERT mini, which has one").click()
    expect(candidates(page, 2)).to_be_visible()


def test_a_readers_own_checkpoint(app, own_checkpoints):
    page = app.open(
        "bert", model=str(own_checkpoints["deberta"]), text="the cat sat on a street .", masks="2"
    )
    expect(candidates(page, 2)).to_be_visible()
    expect(page.get_by_text("of 52")).to_be_visible()
    page.get_by_role("radio", name="Input").click()
    expect(page.get_by_text("This model has no segment table")).to_be_visible()
