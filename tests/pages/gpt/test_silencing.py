"""Silenced heads beside the next word, on tiny models."""

import io

import numpy as np
import pytest

from core.explain.predictions.token_distribution import token_distribution
from core.interventions import SilenceHead
from tests.pages.gpt.shown import TEXT


def test_the_next_word_without_a_head(opened, model):
    page = opened(silence="1", silent="1.2", temperature="0.5")
    before, after = (
        token_distribution(model.next_step(TEXT, interventions=changes).logits)
        for changes in ((), (SilenceHead(1, 2),))
    )
    best = before.top(1)[0]
    rows = page.figures["gpt.next.silenced-bars"].header["rows"]
    (row,) = (row for row in rows if row["lit"])
    assert row["text"] == model.vocabulary()[best]
    assert row["before"] == pytest.approx(before.probability(best), rel=1e-4)
    assert row["after"] == pytest.approx(after.probability(best), rel=1e-4)
    assert "Without layer 1, head 2" in page.answer
    assert page.figures["gpt.next.silenced-bars"].header["hue"] == "decoder"


def test_every_head_in_turn(opened, model):
    page = opened(silence="1", sweep="1")
    kept = np.load(io.BytesIO(page.file("next-token.npz")))
    best = token_distribution(model.next_step(TEXT).logits).top(1)[0]
    for layer in range(3):
        for head in range(4):
            silent = (SilenceHead(layer, head),)
            logits = model.next_step(TEXT, interventions=silent).logits
            expected = token_distribution(logits).probability(best)
            assert kept["each_head_silenced"][layer, head] == pytest.approx(expected, abs=1e-5)


def test_closed_it_asks_nothing(opened):
    page = opened()
    assert [key for key in page.figures if key.startswith("gpt.next.")] == ["gpt.next.row"]
    assert page.table("next-token.csv")
    assert "next-token-every-head.csv" not in page.files
