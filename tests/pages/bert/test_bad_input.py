"""What the BERT page says to odd texts, odd links, and models that lack a head."""

from pathlib import Path

import pytest

from tests.pages.bert.shown import is_open
from tests.pages.page import Page

ODD = "👩‍👩‍👧 </script><img src=x onerror=alert(1)> **bold** [MASK] match \x07"


def test_no_mask_too_many_and_too_long():
    page = Page("bert", text="A text without any mask.")
    assert "Nothing is masked. Click a word above, or write [MASK]" in page.notices
    field = "bert.text"
    page.text_area(key=field).set_value("[MASK] " * 13).run()
    assert "13 masks are more than the 12 that fit" in page.notices
    page.text_area(key=field).set_value("word " * 600).run()
    assert "has 602 tokens; this model takes up to 512" in page.notices
    assert page.text_area(key=field).value == "word " * 600
    page.text_area(key=field).set_value("   ").run()
    assert "The text is empty. Type at least one word." in page.notices


@pytest.mark.parametrize(
    "view", ["words", "layers", "why", "input", "pretraining", "next", "context", "tuning"]
)
def test_emoji_markup_and_nonsense_in_links(view: str):
    texts = dict.fromkeys(("text", "pair", "passage", "question"), ODD)
    nonsense = {"masks": "0,9999", "fills": "1.99999999", "head": "99.99", "cell": "400.9000"}
    numbers = {"layer": "77", "chosen": "900", "start": "nan", "mask": "300"}
    page = Page(
        "bert",
        **({"view": view, "sentences": f"{ODD}\n{ODD}", "word": "match"} | texts | nonsense),
        **numbers,
    )
    assert "What am I looking at?" in [heading.value for heading in page.subheader]
    assert not any(each.allow_html and "<img" in each.value for each in page.markdown)


def test_a_click_on_a_special_token_says_why_nothing_happens():
    page = Page("bert", text="The cat sat.", masks="2")
    page.fire("bert.tokens", 5)
    assert "[SEP] is not a word: the model always gets it." in page.notices
    assert is_open(page, 2)


def test_a_model_without_heads_says_so_and_offers_one():
    page = Page("bert", model="minilm-l6", text="The cat sat.", masks="2")
    assert "MiniLM-L6 has no masked-LM head" in page.text
    page.button_group(key="bert.view").set_value("input").run()
    assert "token 30,522 × 384" in page.text
    page.button_group(key="bert.view").set_value("words").run()
    page.press("Take MiniLM for masked words, which has one")
    assert is_open(page, 2)


def test_next_sentences_have_a_model_of_their_own():
    page = Page("bert", view="next", model="minilm-mlm")
    assert "MiniLM for masked words (trained here) has no next-sentence head" in page.text
    page.press("Take BERT mini, which has one")
    assert "bert.next" in page.figures
    page.button_group(key="bert.view").set_value("words").run()
    assert page.link.get("model", "minilm-mlm") == "minilm-mlm"


def test_a_readers_own_checkpoint(offered: dict[str, Path]):
    text = "the cat sat on a street ."
    page = Page("bert", model=str(offered["deberta"]), text=text, masks="2")
    assert is_open(page, 2)
    assert "of 52" in page.text
    page.button_group(key="bert.view").set_value("input").run()
    assert "This model has no segment table" in page.text
