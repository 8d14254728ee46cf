"""Decoding and beam search: every number the translator's own."""

from collections import Counter

import numpy as np
import pytest

import core
from app.content.lectures import SEWAGE
from app.style.number_format import three
from tests.pages.page import Page
from tests.pages.transformer.shown import TEXT, fates_drawn, header


def test_every_step_has_the_models_weights_and_candidates(opened, marian):
    page = opened("decode")
    found = marian.decode(TEXT)
    weights = np.stack([one.weights for one in found.trace.layers[core.AttentionKind.CROSS]])
    drawn = page.figures["transformer.decoder"]
    np.testing.assert_allclose(drawn.arrays["weights"], weights.mean(axis=(0, 1)), atol=2e-6)
    assert drawn.header["labels"] == list(found.labels)
    shown = [probability for _, _, probability, _ in drawn.header["candidates"][2]]
    assert shown == pytest.approx([one.probability for one in found.candidates[2]], rel=1e-4)
    page.choose("transformer.decoder", 1)
    assert page.link["step"] == "1"
    again = opened("decode", step="1")
    assert header(again, "decoder")["selection"]["value"] == 1


def test_another_word_can_be_said(opened, marian):
    page = opened("decode")
    second = marian.decode(TEXT).candidates[0][1]
    page.fire("transformer.decoder", [0, second.id])
    assert page.link["said"] == str(second.id)
    expected = marian.decode(TEXT, prefix=(second.id,))
    assert header(page, "decoder")["labels"] == list(expected.labels)
    assert header(page, "decoder")["selection"]["value"] == 1
    said = [row["token"] for row in page.table("decoding.csv") if row["said"] == "True"]
    assert said[1:] == list(expected.labels)[1:]  # the chosen word may lie beyond the listed ones
    assert "said" not in page.press("Greedy again").link


def test_the_tree_holds_every_hypothesis(opened, marian):
    page = opened("beams", beams="3")
    found = marian.translate(TEXT, beams=3)
    hypotheses = [one for step in found.steps for one in step.hypotheses]
    assert fates_drawn(page) == Counter(str(one.fate) for one in hypotheses)
    rows = page.table("beam-search.csv")
    assert [float(row["sum_minus_log_p"]) for row in rows] == pytest.approx(
        [one.score for one in hypotheses], rel=1e-4
    )
    best = found.steps[1].hypotheses[0].node
    page.choose("transformer.tree", [2, best])
    assert page.link["depth"] == "2"
    assert page.link["node"] == str(best)
    again = opened("beams", beams="3", depth="2", node=str(best))
    assert header(again, "tree")["selection"]["value"] == [2, best]


def test_penalty_and_margins_are_the_readers(opened, marian):
    page = opened("beams", normalisation="wu", alpha="1", word_margin="0.5", margin="0.25")
    choice = {"length_penalty": 1.0, "word_margin": 0.5, "hypothesis_margin": 0.25}
    found = marian.translate(TEXT, normalisation="wu", **choice)
    fates = Counter(str(one.fate) for step in found.steps for one in step.hypotheses)
    assert fates["word-margin"] > 0
    assert fates_drawn(page) == fates
    assert f"÷ penalty {found.normalised:.3g}" in page.answer
    page.button_group(key="transformer.beams.normalisation").set_value("length").run()
    assert f"÷ penalty {marian.translate(TEXT, **choice).normalised:.3g}" in page.answer


def test_a_translation_says_how_sure_it_is_and_what_it_hardly_knows():
    page = Page("transformer", view="decode", text=SEWAGE)
    found = core.load("transformer-en-de").decode(SEWAGE)
    assert f"a probability of {three(found.losses.mean_probability)} " in page.text
    assert "The model is guessing." in page.text
    assert "Rare in its training: sewage (3 pieces)." in page.text
    assert "guessing" not in Page("transformer", view="decode").text
