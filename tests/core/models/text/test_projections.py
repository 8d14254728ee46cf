"""The matrices of one head: the model's own queries, keys, values and outputs follow from them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import core
from core import AttentionKind
from core.models.text.projections import head_projections

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat on a street ."
ABSOLUTE = ("bert", "roberta", "distilbert", "albert", "electra", "gpt2")


def attention_input(model, trace, layer: int) -> np.ndarray:
    """What enters the projections: GPT-2 norms first, BERT does not."""
    states = trace.hidden_states()[layer]
    if model.card.family != "text-decoder":
        return states
    norm = model.module.transformer.h[layer].ln_1
    centred = states - states.mean(-1, keepdims=True)
    scale = np.sqrt(states.var(-1, keepdims=True) + norm.eps)
    return centred / scale * norm.weight.numpy() + norm.bias.numpy()


@pytest.mark.parametrize("family", ABSOLUTE)
def test_queries_keys_and_values_follow_from_the_matrices(family: str, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    trace = model.trace(TEXT)
    for layer, head in ((0, 0), (2, 3)):
        matrices = model.head_projections(layer, head)
        attention = trace.attention(layer)
        states = attention_input(model, trace, layer)
        for name, seen in (
            ("query", attention.queries),
            ("key", attention.keys),
            ("value", attention.values),
        ):
            made = states @ getattr(matrices, name) + getattr(matrices, f"{name}_bias")
            np.testing.assert_allclose(made, seen[head], atol=2e-5)
        assert matrices.output.shape == (8, 32)


def test_the_heads_outputs_add_up_to_the_attention_blocks(tiny_checkpoint: Checkpoint):
    """Σ over heads of (weights · values) W^O + b, against BERT's own dense layer."""
    model = core.load(tiny_checkpoint("bert"))
    layer = model.trace(TEXT).attention(1)
    heads = [model.head_projections(1, head) for head in range(4)]
    mixed = layer.weights @ layer.values
    summed = sum(m @ h.output for m, h in zip(mixed, heads, strict=True)) + heads[0].output_bias
    dense = model.module.bert.encoder.layer[1].attention.output.dense
    joined = torch.as_tensor(np.concatenate(list(mixed), axis=-1))
    np.testing.assert_allclose(summed, dense(joined).detach().numpy(), atol=1e-5)


def test_grouped_keys_are_shared_by_their_heads(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("llama"))
    heads = [model.head_projections(0, head) for head in range(4)]
    np.testing.assert_array_equal(heads[0].key, heads[1].key)
    assert not np.array_equal(heads[1].key, heads[2].key)
    assert not np.array_equal(heads[0].query, heads[1].query)
    assert heads[0].query_bias.tolist() == [0] * 8


@pytest.mark.parametrize("family", ["marian", "bart", "t5"])
def test_a_translator_has_three_kinds(family: str, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    kinds = {kind: model.head_projections(1, 2, kind=kind).query for kind in AttentionKind}
    assert len({matrix.tobytes() for matrix in kinds.values()}) == 3
    with pytest.raises(core.InputError, match="Say which kind of attention: encoder, decoder"):
        model.head_projections(0, 0)


def test_a_place_that_is_not_there(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    with pytest.raises(core.InputError, match=r"no layer 3, head 0: .* layers 0 to 2 and heads 0"):
        model.head_projections(3, 0)


def test_a_model_with_other_names_says_so(tiny_checkpoint: Checkpoint):
    model = replace(core.load(tiny_checkpoint("bert")), module=nn.Sequential(nn.Linear(2, 2)))
    with pytest.raises(core.InputError, match="in a way that is not known here"):
        head_projections(model.card, model.module, lambda _: True, (0, 0))
