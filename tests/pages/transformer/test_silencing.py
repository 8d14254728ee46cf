"""Silenced heads of three kinds at a step of the decoder, on a tiny translator."""

import io

import numpy as np
import pytest

from core.explain.attention.activation_patching import (
    head_patches,
    patch_sweep,
    stream_patches,
)
from core.explain.predictions.token_distribution import token_distribution
from core.interventions import SilenceHead
from core.targets import LogitContrast
from core.trace import AttentionKind
from tests.pages.transformer.shown import TEXT


@pytest.mark.parametrize("kind", AttentionKind)
def test_each_kind_is_silenced_at_the_step_that_is_shown(opened, marian, kind: AttentionKind):
    page = opened("decode", silence="1", silent="1.2", kind=str(kind), step="2", sweep="1")
    said = tuple(marian.decode(TEXT).label_ids.tolist())
    variants = ((), (SilenceHead(1, 2, kind),))
    expected = marian.logits_at(TEXT, variants, 2, prefix=said)
    before, after = map(token_distribution, expected)
    (row,) = (
        row for row in page.figures["transformer.decode.silenced-bars"].header["rows"] if row["lit"]
    )
    assert row["text"] == marian.vocabulary()[said[2]]
    assert row["before"] == pytest.approx(before.probability(said[2]), rel=1e-4)
    assert row["after"] == pytest.approx(after.probability(said[2]), rel=1e-4)
    assert "Without layer 1, head 2" in page.answer
    kept = np.load(io.BytesIO(page.file("decoding.npz")))
    layers = 2 if kind == AttentionKind.ENCODER else 3
    assert kept["each_head_silenced"].shape == kept["head_confidence"].shape == (layers, 4)
    assert kept["each_head_silenced"][1, 2] == pytest.approx(after.probability(said[2]), abs=1e-5)
    assert str(kept["silenced_kind"]) == str(kind)


def test_closed_it_asks_nothing(opened):
    page = opened("decode")
    assert [key for key in page.figures if "silenced" in key] == []


SOURCE = "the cat sat on the street because it was tired ."
OTHER = "the dog sat on the street because it was tired ."


@pytest.mark.parametrize("kind", AttentionKind)
@pytest.mark.parametrize("part", ["heads", "residual"])
def test_patches_from_another_sentence_with_the_same_target(
    opened, marian, kind: AttentionKind, part: str
):
    link = {"silence": "1", "patch": "1", "other": OTHER, "effect": "logit", "step": "2"}
    page = opened("decode", text=SOURCE, part=part, kind=str(kind), **link)
    kept = np.load(io.BytesIO(page.file("decoding.npz")))
    said = tuple(marian.decode(SOURCE).label_ids.tolist())
    quantity = LogitContrast(2, said[2])
    source = marian.decode(OTHER, prefix=said, blocks=True).trace
    stack = AttentionKind.DECODER if kind == AttentionKind.CROSS else kind
    patches = head_patches(source, kind) if part == "heads" else stream_patches(source, part, stack)
    expected = patch_sweep(
        lambda each: marian.measure(SOURCE, each, quantity, prefix=said), patches
    )
    np.testing.assert_allclose(kept["patched"], expected.patched, atol=1e-4)
