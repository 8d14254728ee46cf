"""Silenced heads beside the next word, on tiny models."""

import io

import numpy as np
import pytest

from app.style.number_format import three
from app.ui import long_work
from core.explain.attention.activation_patching import (
    head_patches,
    patch_sweep,
    stream_patches,
)
from core.explain.predictions.token_distribution import token_distribution
from core.interventions import SilenceHead
from core.targets import LogitContrast
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


def test_what_takes_long_is_asked_about_first(opened, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(long_work, "LONG", 0.0)
    page = opened(silence="1", sweep="1")
    assert "Silencing each head: 12 heads, about" in page.text
    assert "gpt.next.effects" not in page.figures
    page.press("Start")
    assert "gpt.next.effects" in page.figures
    again = opened(silence="1", sweep="1")
    again.press("Not now")
    assert not again.toggle(key="gpt.next.sweep").value


def test_closed_it_asks_nothing(opened):
    page = opened()
    assert [key for key in page.figures if key.startswith("gpt.next.")] == ["gpt.next.row"]
    assert page.table("next-token.csv")
    assert "next-token-every-head.csv" not in page.files


OTHER = "a dog sat on a street because it"


@pytest.mark.parametrize("part", ["heads", "residual", "attention", "mlp"])
def test_patches_from_another_sentence(opened, model, part: str):
    page = opened(silence="1", patch="1", other=OTHER, part=part, effect="logit")
    kept = np.load(io.BytesIO(page.file("next-token.npz")))
    best = token_distribution(model.next_step(TEXT).logits).top(1)[0]
    quantity = LogitContrast(7, best)
    source = model.trace(OTHER, blocks=True)
    patches = head_patches(source) if part == "heads" else stream_patches(source, part)
    expected = patch_sweep(lambda each: model.measure(TEXT, each, quantity), patches)
    np.testing.assert_allclose(kept["patched"], expected.patched, atol=1e-4)
    shown = page.figures["gpt.next.patched"].arrays["values"]
    np.testing.assert_allclose(shown, expected.effects, atol=1e-4)
    there = float(model.measure(OTHER, ((),), quantity)[0])
    assert kept["patched_from"] == pytest.approx(there, abs=1e-4)
    assert f"{three(there)}** with the other" in page.text.replace("-", "−")
    assert len(page.table("next-token-patched.csv")) == expected.patched.size


def test_sentences_of_different_lengths_are_told_apart(opened):
    page = opened(silence="1", patch="1", other="a dog")
    assert "The sentences have 8 and 2 tokens" in page.notices
    assert "gpt.next.silenced-bars" in page.figures
