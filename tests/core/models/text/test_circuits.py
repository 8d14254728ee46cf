"""Circuits of a head by hand, on tiny random models: of a model in which nothing else writes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from core import InputError

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat because the dog ran ."
LAYER, HEAD, WIDTH = 1, 2, 8


def check(found: Any, written: Tensor, unembedding: Tensor, q: Tensor, k: Tensor) -> None:
    """written: as the unembedding reads it."""
    logits = written @ unembedding.T
    logits = (logits - logits.mean(dim=1, keepdim=True)).detach().numpy()
    np.testing.assert_allclose(found.ov, logits[:, found.ids], atol=2e-5)
    np.testing.assert_allclose(found.qk, (q @ k.T / WIDTH**0.5).detach(), atol=2e-5)
    np.testing.assert_allclose(found.up.logits, np.sort(logits)[:, ::-1][:, :10], atol=2e-5)
    np.testing.assert_allclose(found.down.logits, np.sort(logits)[:, :10], atol=2e-5)
    order = (-logits).argsort(axis=1)
    ranks = [1 + row.tolist().index(i) for row, i in zip(order, found.ids, strict=True)]
    np.testing.assert_array_equal(found.ranks, ranks)
    assert found.ov.std() > 1e-3
    assert found.qk.std() > 1e-3


def norm(module: Any, at: Tensor, vectors: Tensor) -> Tensor:
    """A LayerNorm's linear part at the scale that it has at other vectors."""
    scale = (at.var(-1, unbiased=False, keepdim=True) + module.eps).sqrt()
    return (vectors - vectors.mean(-1, keepdim=True)) / scale * module.weight


def test_gpt2(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("gpt2"))
    found = model.circuits(TEXT, LAYER, HEAD)
    network = model.module
    block = network.transformer.h[LAYER]
    x = network.transformer.wte.weight[torch.tensor(found.ids)]
    q, k, v = block.attn.c_attn(block.ln_1(x)).split(32, dim=-1)
    own = slice(HEAD * WIDTH, (HEAD + 1) * WIDTH)
    written = v[:, own] @ block.attn.c_proj.weight[own]
    read = norm(network.transformer.ln_f, x + written, written)
    check(found, read, network.lm_head.weight, q[:, own], k[:, own])
    assert len(found.tokens) == len(set(found.tokens)) == len(model.trace(TEXT).tokens) - 1


def test_llama(tiny_checkpoint: Checkpoint):
    """Grouped keys, RMSNorm, and no turn by positions."""
    model: Any = core.load(tiny_checkpoint("llama"))
    found = model.circuits(TEXT, LAYER, HEAD)
    network = model.module
    block = network.model.layers[LAYER]
    x = network.model.embed_tokens.weight[torch.tensor(found.ids)]
    read = block.input_layernorm(x)
    attention, own = block.self_attn, slice(HEAD * WIDTH, (HEAD + 1) * WIDTH)
    group = slice(HEAD // 2 * WIDTH, (HEAD // 2 + 1) * WIDTH)
    written = attention.v_proj(read)[:, group] @ attention.o_proj.weight.T[own]
    scale = ((x + written).square().mean(-1, keepdim=True) + 1e-6).sqrt()
    q, k = attention.q_proj(read)[:, own], attention.k_proj(read)[:, group]
    through = written / scale * network.model.norm.weight
    check(found, through, network.lm_head.weight, q, k)


def test_bert(tiny_checkpoint: Checkpoint):
    """Norm after norm, then dense, GELU's gate, the head's norm: each at its own scale."""
    model: Any = core.load(tiny_checkpoint("bert"))
    found = model.circuits(TEXT, LAYER, HEAD)
    network = model.module
    table = network.bert.embeddings
    x = table.word_embeddings.weight[torch.tensor(found.ids)]
    x = table.LayerNorm(x + table.token_type_embeddings.weight[0])
    blocks = network.bert.encoder.layer
    for block in blocks[:LAYER]:
        x = block.output.LayerNorm(block.attention.output.LayerNorm(x))
    attention, own = blocks[LAYER].attention, slice(HEAD * WIDTH, (HEAD + 1) * WIDTH)
    q, k, v = (getattr(attention.self, one)(x)[:, own] for one in ("query", "key", "value"))
    written = v @ attention.output.dense.weight.T[own]
    x = x + written
    for block in blocks[LAYER:]:
        for module in (block.attention.output.LayerNorm, block.output.LayerNorm):
            written, x = norm(module, x, written), module(x)
    transform = network.cls.predictions.transform
    z = transform.dense(x)
    gate = torch.distributions.Normal(0.0, 1.0).cdf(z)
    through = norm(transform.LayerNorm, gate * z, gate * (written @ transform.dense.weight.T))
    check(found, through, network.cls.predictions.decoder.weight, q, k)


def test_where_other_words_stand_changes_nothing(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("gpt2"))
    first, second = model.circuits("the cat ran", 2, 1), model.circuits("ran the cat cat", 2, 1)
    there = [second.tokens.index(token) for token in first.tokens]
    np.testing.assert_allclose(first.ov, second.ov[there][:, there], atol=1e-5)
    np.testing.assert_allclose(first.qk, second.qk[there][:, there], atol=1e-5)


def test_what_can_not_be_read_is_refused(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("gpt2"))
    with pytest.raises(InputError, match="no layer 9, head 0"):
        model.circuits(TEXT, 9, 0)
    with pytest.raises(InputError, match="more than the 40"):
        model.circuits("the cat " * 21, 0, 0)
    for family in ("deberta", "gpt_neox"):
        with pytest.raises(InputError):
            core.load(tiny_checkpoint(family)).circuits(TEXT, 0, 0)  # pyright: ignore
