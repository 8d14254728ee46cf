"""Whatever the GPT page is given: a clear sentence or a right picture, and nothing lost."""

import re
from dataclasses import replace

import pytest

from app.services import decoder
from tests.pages.gpt.shown import tokens
from tests.pages.page import Page

HOSTILE = "</script><img src=x onerror=window.broken=1> cat"
FULL = "The context is full: 64 of 64 tokens"


def test_an_empty_prompt_and_back(opened):
    page = opened(text="the cat")
    page.text_area(key="gpt.text").set_value("   ").run()
    assert "The text is empty. Type at least one word." in page.notices
    page.text_area(key="gpt.text").set_value("a dog").run()
    assert "gpt.next" in page.figures


def test_a_prompt_past_the_limit_is_counted_and_kept(opened):
    page = opened(text="cat")
    page.text_area(key="gpt.text").set_value("cat " * 600).run()
    assert "has 600 tokens; this model takes up to 64" in page.notices
    assert page.text_area(key="gpt.text").value == "cat " * 600


def test_a_prompt_at_the_limit_has_a_next_token_but_no_room(opened):
    assert "gpt.next" in opened(text="cat " * 64).figures
    page = opened(text="cat " * 64, view="generate")
    assert FULL in page.notices
    assert FULL in page.press("Write 20").notices


def test_writing_stops_where_the_context_ends(opened, model):
    page = opened(text="cat " * 60, view="generate", temperature="0").press("Write 20")
    assert FULL in page.notices
    made = model.generate("cat " * 60, max_new_tokens=4, temperature=0)
    assert tokens(page, "path")[40:] == [step.token for step in made.steps]


@pytest.mark.parametrize(
    ("view", "figure"),
    [("next", "next"), ("generate", "path"), ("layers", "layers.lens"), ("why", "why.table")],
)
def test_emoji_and_markup_are_tokens(opened, view: str, figure: str):
    page = opened(text=f"the 😀 {HOSTILE}", view=view)
    assert f"gpt.{figure}" in page.figures
    assert page.text_area(key="gpt.text").value == f"the 😀 {HOSTILE}"
    assert not any(each.allow_html and "<img" in each.value for each in page.markdown)


def test_one_token_has_no_surprise(opened):
    page = opened(view="surprise", text="cat")
    assert "This is one token, and nothing stands before it" in page.notices


def test_part_of_a_character_is_no_byte_and_no_number_a_word(monkeypatch: pytest.MonkeyPatch):
    said = Page("gpt", view="surprise", text="\u200b").text
    assert re.search(r"bits per byte = [\d.]+ ÷ 1 =", said)
    real = decoder.surprise_of
    monkeypatch.setattr(decoder, "surprise_of", lambda *of: replace(real(*of), n_bytes=0))
    page = Page("gpt", view="surprise", text="\u200b")
    assert "÷ 0 = **undefined** (the first token holds the whole text)." in page.text
    assert page.metric[2].value == "undefined"


def test_nonsense_in_a_link_is_ignored(opened):
    nonsense = {"temperature": "-4", "top_k": "many", "top_p": "7", "seed": "x"}
    page = opened(text="the cat", view="generate", tree="1.2", layer="99", **nonsense)
    assert tokens(page, "path")[:2] == ["the", "cat"]
    assert not nonsense.keys() & page.link.keys()


def test_a_token_that_the_model_does_not_have_is_told(opened):
    page = opened(text="the cat", view="generate", tree="99999@0.1")
    assert "There is no token 99999" in page.notices
    page.press("Start over from the prompt")
    assert tokens(page, "path") == ["the", "cat"]


def test_an_induction_test_that_does_not_fit_says_what_would(opened):
    page = opened(view="induction", length="40", copies="4")
    assert "Take up to 15 random tokens" in page.notices


def test_examples_past_the_context_end_the_curve(opened):
    lines = "\n".join("the cat sat on a street -> the dog ran" for _ in range(9))
    page = opened(view="shots", examples=lines, query="the", answer="cat")
    assert "The curve ends at" in page.text


def test_an_unknown_model_is_told():
    page = Page("gpt", model="../../etc/passwd", text="the cat")
    assert "There is no model “../../etc/passwd” here" in page.notices


def test_a_hub_model_without_a_network_says_so():
    page = Page("gpt", model="gpt2", text="the cat")
    assert "comes from the hub" in page.notices
    assert page.text_area(key="gpt.text").value == "the cat"
