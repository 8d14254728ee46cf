"""Proximity (ALTI) against a loop over queries and keys, on tiny models with random weights."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core import InputError

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat because it was tired ."


def expected(model: Any, at: int, query: int) -> np.ndarray:
    """Shares of the residual and of every key, from the trace and torch's own norm."""
    trace = model.trace(TEXT, blocks=True)
    layer, sublayer = trace.attention(at), trace.block(at).sublayers[0]
    heads = [model.head_projections(at, head) for head in range(layer.n_heads)]
    parts = [sublayer.received[query].astype(np.float64)]
    for key in range(layer.weights.shape[2]):
        parts.append(
            sum(
                layer.weights[h, query, key] * layer.values[h, key].astype(np.float64) @ own.output
                for h, own in enumerate(heads)
            )
        )
    whole = sublayer.total[query].astype(np.float64)
    np.testing.assert_allclose(sum(parts) + heads[0].output_bias, whole, atol=1e-5)
    if not sublayer.pre_norm:
        norm = model.module.bert.encoder.layer[at].attention.output.LayerNorm
        gain, offset = (one.detach().double().numpy() for one in (norm.weight, norm.bias))
        spread = np.sqrt(whole.var() + norm.eps)
        parts = [gain * (part - part.mean()) / spread for part in parts]
        whole = gain * (whole - whole.mean()) / spread + offset
        normed = norm(torch.from_numpy(sublayer.total[query])).detach().numpy()
        np.testing.assert_allclose(whole, normed, atol=1e-5)
    length = np.abs(whole).sum()
    near = np.array([max(0.0, length - np.abs(whole - part).sum()) for part in parts])
    return near / near.sum()


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama"])
def test_shares_equal_a_loop_and_sum_to_one(family: str, tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint(family))
    flow = model.token_flow(TEXT)
    np.testing.assert_allclose(flow.mixed.sum(axis=2), 1, atol=1e-5)
    assert flow.kept.max() > 0.1
    for layer, query in ((0, 0), (0, 5), (1, 3), (1, 7)):
        kept, *attended = expected(model, layer, query)
        assert flow.kept[layer, query] == pytest.approx(kept, abs=1e-5)
        np.testing.assert_allclose(flow.attended[layer, query], attended, atol=1e-5)
    if family != "bert":
        future = np.triu(np.ones(flow.attended.shape[1:], dtype=bool), 1)
        assert flow.attended[:, future].max() == 0


def test_a_pair_is_read_as_one(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("bert"))
    both = model.token_flow("the cat sat", pair="it was tired")
    assert both.attended.shape[1] == len(model.trace("the cat sat", pair="it was tired").tokens)


def test_a_model_that_hides_its_values_says_so(tiny_checkpoint: Checkpoint):
    with pytest.raises(InputError, match="Choose the attention weights"):
        core.load(tiny_checkpoint("deberta")).token_flow(TEXT)
