"""Masked words: filled in, moved with their words, looked at with a head, layer by layer."""

import re

import pytest

from core.explain.predictions.token_distribution import token_distribution
from tests.pages.bert.shown import FACT, candidates, is_open, notes
from tests.pages.page import Page


def test_masking_filling_and_seeing_the_others_move(bert):
    mask, france = bert.profile().mask_id, bert.tokenizer.convert_tokens_to_ids("france")
    trace = bert.trace_edited(FACT, edits=((4, mask), (6, mask)))
    before = token_distribution(trace.logits[6])
    page = Page("bert")
    assert "predicted **in parallel**" in page.text
    assert f"“france” has rank {before.rank(france)} of 30,522" in page.text
    assert candidates(page, 6)["france"]["probability"] == pytest.approx(
        before.probability(france), rel=1e-4
    )
    page.fire("bert.candidates.4", list(candidates(page, 4)).index("capital"))
    assert not is_open(page, 4)
    assert candidates(page, 6)["france"]["note"] == f"was {before.probability(france):.3g}"
    assert "for capital" in notes(page)
    page.fire("bert.tokens", 1)  # paris: one more mask
    assert is_open(page, 1)
    assert page.link["masks"] == "1,4,6"
    again = Page("bert", **page.link)
    assert is_open(again, 1)
    assert "for capital" in notes(again)
    assert "Nothing is masked. Click a word above" in again.press("Unmask all").notices


def test_masks_follow_their_words_when_the_text_changes():
    page = Page("bert", text=FACT, masks="6")
    assert "france" in candidates(page, 6)
    page.text_area(key="bert.text").set_value(f"We know that {FACT}").run()
    assert "france" in candidates(page, 9)


def test_from_a_mask_to_the_head_it_looked_with():
    page = Page("bert", text=FACT, masks="6", head="2.5")
    assert re.search(r"Layer 2 · head 5: \*\*0\.\d+\*\* on", page.text)
    (link,) = (
        link for link in page.get("page_link") if link.label.startswith("See layer 2 · head 5")
    )
    given = dict(part.split("=", 1) for part in link.proto.query_string.split("&"))
    assert given["heads"] == "2.5"
    page.go("attention", heads="2.5", text="Paris is the capital of [MASK].", model="minilm-mlm")
    view = page.figures["attention.view.encoder"].header
    assert view["names"] == ["layer 2 · head 5"]
    assert "[MASK]" in view["query_tokens"]


def test_the_layers_of_one_mask():
    page = Page(
        "bert", view="layers", text="The native language of Victor Hugo is French.", masks="8"
    )
    assert "at position 8" in page.figures["bert.lens-map"].header["label"]
    guesses = page.figures["bert.lens-guesses"]
    layers = page.figures["bert.lens-map"].header["rows"]
    assert guesses.header["rows"] == layers[::-1] == [*map(str, reversed(range(6))), "input"]
    best = page.file("layer-by-layer.csv").decode().splitlines()[-len(guesses.header["columns"])]
    assert best.startswith(f"5,{guesses.header['cells'][0][0]},")
    unknown = "is not one token of this vocabulary"
    page.text_input(key="bert.layers.word").set_value("notoneword!").run()
    assert unknown in page.text
    page.text_input(key="bert.layers.word").set_value("German").run()
    assert unknown not in page.text
    assert "german" in page.figures["bert.lens-map"].header["columns"]
