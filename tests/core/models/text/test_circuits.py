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
from core.trace import AttentionKind

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
    order = (-logits).argsort(axis=1).tolist()
    ranks = [[1 + row.index(token) for token in found.ids] for row in order]
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


def bare(layers: Any, x: Tensor, cross: tuple[int, Tensor] | None = None) -> Tensor:
    """Marian's decoder of norms alone, with what cross-attention writes in one layer."""
    for index, block in enumerate(layers):
        x = block.self_attn_layer_norm(x)
        x = x if cross is None or index != cross[0] else x + cross[1]
        x = block.final_layer_norm(block.encoder_attn_layer_norm(x))
    return x


def test_a_translators_own_attention(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("marian"))
    found = model.circuits(TEXT, LAYER, HEAD, kind=AttentionKind.DECODER, words="a dog ran a dog")
    decoder, own = model.module.model.decoder, slice(HEAD * WIDTH, (HEAD + 1) * WIDTH)
    x = decoder.embed_tokens.weight[torch.tensor(found.ids)] * decoder.config.d_model**0.5
    x = bare(decoder.layers[:LAYER], x)
    attention = decoder.layers[LAYER].self_attn
    q, k, v = (getattr(attention, f"{one}_proj")(x)[:, own] for one in "qkv")
    written = v @ attention.out_proj.weight.T[own]
    x = x + written
    for block in decoder.layers[LAYER:]:
        for name in ("self_attn", "encoder_attn", "final"):
            module = getattr(block, f"{name}_layer_norm")
            written, x = norm(module, x, written), module(x)
    check(found, written, model.module.lm_head.weight, q, k)
    assert found.sources == found.tokens == tuple(dict.fromkeys(found.tokens))


def test_a_translators_cross_attention(tiny_checkpoint: Checkpoint):
    """The encoder as ever; a bare decoder at its start token."""
    model: Any = core.load(tiny_checkpoint("marian"))
    found = model.circuits(TEXT, LAYER, HEAD, kind=AttentionKind.CROSS, words="a dog ran")
    network = model.module.model
    decoder, own = network.decoder, slice(HEAD * WIDTH, (HEAD + 1) * WIDTH)
    source = torch.tensor(model.tokenizer(TEXT)["input_ids"])[None]
    memory = network.encoder(source).last_hidden_state[0]
    block, table = decoder.layers[LAYER], decoder.embed_tokens.weight * 32**0.5
    read = block.self_attn_layer_norm(bare(decoder.layers[:LAYER], table[torch.tensor(found.ids)]))
    attention = block.encoder_attn
    q = attention.q_proj(read)[:, own]
    k, v = attention.k_proj(memory)[:, own], attention.v_proj(memory)[:, own]
    written = v @ attention.out_proj.weight.T[own]
    start = table[model.module.config.decoder_start_token_id].expand(len(memory), -1)
    x = block.self_attn_layer_norm(bare(decoder.layers[:LAYER], start)) + written
    modules = [block.encoder_attn_layer_norm, block.final_layer_norm]
    for after in decoder.layers[LAYER + 1 :]:
        modules += [
            after.self_attn_layer_norm,
            after.encoder_attn_layer_norm,
            after.final_layer_norm,
        ]
    for module in modules:
        written, x = norm(module, x, written), module(x)
    check(found, written, model.module.lm_head.weight, q, k)
    assert found.sources == model.trace(TEXT).tokens
    assert found.symmetric_share is None


@pytest.mark.parametrize("family", ["bart", "t5"])
@pytest.mark.parametrize("kind", [AttentionKind.DECODER, AttentionKind.CROSS])
def test_other_translators(tiny_checkpoint: Checkpoint, family: str, kind: AttentionKind):
    model: Any = core.load(tiny_checkpoint(family))
    found = model.circuits("the cat sat on", 0, 1, kind=kind, words="a dog")
    assert found.ov.shape == found.qk.T.shape == (len(found.sources), len(found.tokens))
    assert np.isfinite(found.ov).all()
    assert found.ov.std() > 0


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
    translator: Any = core.load(tiny_checkpoint("marian"))
    with pytest.raises(InputError, match="write to no logit"):
        translator.circuits(TEXT, 0, 0, kind=AttentionKind.ENCODER)
    with pytest.raises(InputError, match="more than the 40"):
        translator.circuits("the cat " * 21, 0, 0, kind=AttentionKind.CROSS)
    with pytest.raises(InputError, match="no layer 9, head 0"):
        translator.circuits(TEXT, 9, 0, kind=AttentionKind.CROSS)
    for family in ("deberta", "gpt_neox"):
        with pytest.raises(InputError):
            core.load(tiny_checkpoint(family)).circuits(TEXT, 0, 0)  # pyright: ignore
