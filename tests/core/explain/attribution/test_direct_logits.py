"""A logit as a sum of what heads, MLPs and biases add: worked out by hand."""

import numpy as np
import pytest

from core.explain.attribution.direct_logits import direct_logits, through_heads
from core.trace import AttentionKind, AttentionLayer

LAYER = AttentionLayer(
    index=0,
    kind=AttentionKind.ENCODER,
    scale=1.0,
    recorded_weights=np.array([[[0.25, 0.75], [1, 0]]], dtype=np.float32),
    grouped_values=np.array([[[2.0], [4.0]]], dtype=np.float32),
)
WRITES = np.array([[[1.0, -1.0]]], dtype=np.float32)  # one value number into two of the stream
DIRECTIONS = np.array([[1.0, 0.0], [0.0, 2.0]], dtype=np.float32)


def test_what_each_token_adds_through_a_head():
    """Token 0: ¼ · 2 to query 0's first number, 1 · −2 to query 1's second, read with 2."""
    np.testing.assert_allclose(through_heads(LAYER, WRITES, DIRECTIONS), [[0.5 - 4, 3]])


def test_the_terms_of_a_logit():
    bias = np.array([0.1, 0.2], dtype=np.float32)
    before = np.array([[1, 2], [3, 4]], dtype=np.float32)
    heads = np.array([[3.5, -3.5], [2, -2]], dtype=np.float32)  # Σ weight · value · (1, −1)
    mlp = np.array([[0.5, 9], [9, 0.25]], dtype=np.float32)
    after = before + heads + bias + mlp
    terms = direct_logits([LAYER], [before, after], [WRITES], [bias], DIRECTIONS, 0.7)
    assert terms.start == pytest.approx(1 + 2 * 4)
    np.testing.assert_allclose(terms.heads, [[3.5 - 4]])
    np.testing.assert_allclose(terms.mlps, [0.5 + 0.5], rtol=1e-6)
    assert terms.constant == pytest.approx(0.7 + 0.1 + 2 * 0.2)
    assert terms.logit == pytest.approx(float((DIRECTIONS * after).sum()) + 0.7)


def test_a_layer_without_values_is_a_bug_of_the_caller():
    blind = AttentionLayer(
        0, AttentionKind.ENCODER, 1.0, recorded_weights=np.ones((1, 1, 1), dtype=np.float32)
    )
    with pytest.raises(ValueError, match="keeps no values"):
        through_heads(blind, WRITES, DIRECTIONS)
