"""One head's matrix from products to weights, against torch and by hand."""

import math

import numpy as np
import pytest
import torch

import core
from core import InputError
from core.explain.attention.score_steps import score_steps
from core.trace import AttentionKind, AttentionLayer

TEXT = "the cat sat because it was tired ."


def test_by_hand():
    layer = AttentionLayer(
        0,
        AttentionKind.DECODER,
        0.5,
        queries=np.array([[[1, 2], [3, 0]]], dtype=np.float32),
        grouped_keys=np.array([[[2, 1], [0, 4]]], dtype=np.float32),
        bias=np.array([[[0, -np.inf], [1, 0]]], dtype=np.float32),
    )
    steps = score_steps(layer, 0)
    assert steps.products.tolist() == [[4, 8], [6, 0]]
    assert steps.scaled.tolist() == [[2, 4], [3, 0]]
    assert steps.biased.tolist() == [[2, -math.inf], [4, 0]]
    high = 1 / (1 + math.exp(-4))
    np.testing.assert_allclose(steps.weights, [[1, 0], [high, 1 - high]], rtol=1e-6)


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama", "t5"])
def test_steps_end_in_the_models_own_weights(family: str, tiny_checkpoint):
    trace = core.load(tiny_checkpoint(family)).trace(TEXT)
    for kind in trace.kinds:
        layer = trace.attention(1, kind=kind)
        for head in range(layer.n_heads):
            steps = score_steps(layer, head)
            np.testing.assert_allclose(steps.weights, layer.weights[head], atol=1e-6)
            scores = torch.from_numpy(np.array(steps.biased)).softmax(-1).numpy()
            np.testing.assert_allclose(steps.weights, scores, atol=1e-6)
            np.testing.assert_allclose(steps.scaled, steps.products * layer.scale, rtol=1e-5)


def test_a_model_that_hides_its_scores_says_so(tiny_checkpoint):
    trace = core.load(tiny_checkpoint("deberta")).trace(TEXT)
    with pytest.raises(InputError, match="hides queries and keys"):
        score_steps(trace.attention(0), 0)
