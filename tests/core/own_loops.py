"""Three families' forward passes written out by hand, head by head: what a test may rely on.

`change` gets a layer, its heads' outputs (head, query, d_head), their values (head, key, d_head)
and which keys a query sees (query, key), and returns the outputs that go on to W^O.
"""

import math
from collections.abc import Callable
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

Change = Callable[[int, Tensor, Tensor, Tensor], Tensor]
Loop = Callable[[Any, Tensor, Change], Tensor]


def _heads(flat: Tensor, n_heads: int) -> Tensor:
    """(position, head · d) → (head, position, d)"""
    return flat.reshape(len(flat), n_heads, -1).transpose(0, 1)


def _attend(q: Tensor, k: Tensor, v: Tensor, visible: Tensor, layer: int, change: Change) -> Tensor:
    """(position, head · d) of changed heads."""
    outputs = []
    for query, key, value in zip(q, k, v, strict=True):
        scores = (query @ key.T / math.sqrt(query.shape[-1])).masked_fill(~visible, -torch.inf)
        outputs.append(scores.softmax(-1) @ value)
    changed = change(layer, torch.stack(outputs), v, visible)
    return changed.transpose(0, 1).reshape(q.shape[1], -1)


def bert(module: Any, ids: Tensor, change: Change) -> Tensor:
    """Logits (position, token) of a BertForPreTraining: norms after the sublayers."""
    embed = module.bert.embeddings
    places = torch.arange(len(ids))
    x = embed.word_embeddings(ids) + embed.position_embeddings(places)
    x = embed.LayerNorm(x + embed.token_type_embeddings(torch.zeros_like(ids)))
    visible = torch.ones(len(ids), len(ids), dtype=torch.bool)
    n_heads = module.config.num_attention_heads
    for index, layer in enumerate(module.bert.encoder.layer):
        own, out = layer.attention.self, layer.attention.output
        q, k, v = (_heads(one(x), n_heads) for one in (own.query, own.key, own.value))
        x = out.LayerNorm(x + out.dense(_attend(q, k, v, visible, index, change)))
        inner = functional.gelu(layer.intermediate.dense(x))
        x = layer.output.LayerNorm(x + layer.output.dense(inner))
    return module.cls.predictions(x)


def gpt2(module: Any, ids: Tensor, change: Change) -> Tensor:
    """Logits of a GPT2LMHeadModel: norms before the sublayers, a causal mask."""
    base = module.transformer
    x = base.wte(ids) + base.wpe(torch.arange(len(ids)))
    visible = torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
    for index, block in enumerate(base.h):
        three = (block.ln_1(x) @ block.attn.c_attn.weight + block.attn.c_attn.bias).chunk(3, -1)
        q, k, v = (_heads(one, module.config.n_head) for one in three)
        attended = _attend(q, k, v, visible, index, change)
        x = x + attended @ block.attn.c_proj.weight + block.attn.c_proj.bias
        inner = block.ln_2(x) @ block.mlp.c_fc.weight + block.mlp.c_fc.bias
        inner = functional.gelu(inner, approximate="tanh")
        x = x + inner @ block.mlp.c_proj.weight + block.mlp.c_proj.bias
    return base.ln_f(x) @ module.lm_head.weight.T


def llama(module: Any, ids: Tensor, change: Change) -> Tensor:
    """Logits of a LlamaForCausalLM: rotary positions, two heads to a key, no biases."""
    base, config = module.model, module.config
    x = base.embed_tokens(ids)
    cos, sin = (one[0] for one in base.rotary_emb(x, torch.arange(len(ids))[None]))

    def rotated(one: Tensor) -> Tensor:
        first, second = one.chunk(2, -1)
        return one * cos + torch.cat([-second, first], -1) * sin

    visible = torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
    groups = config.num_attention_heads // config.num_key_value_heads
    for index, layer in enumerate(base.layers):
        own, read = layer.self_attn, layer.input_layernorm(x)
        q = rotated(_heads(own.q_proj(read), config.num_attention_heads))
        k = rotated(_heads(own.k_proj(read), config.num_key_value_heads))
        v = _heads(own.v_proj(read), config.num_key_value_heads)
        k, v = (torch.stack([one[h // groups] for h in range(len(q))]) for one in (k, v))
        x = x + own.o_proj(_attend(q, k, v, visible, index, change))
        read = layer.post_attention_layernorm(x)
        inner = functional.silu(layer.mlp.gate_proj(read)) * layer.mlp.up_proj(read)
        x = x + layer.mlp.down_proj(inner)
    return module.lm_head(base.norm(x))


LOOPS: Final[dict[str, Loop]] = {"bert": bert, "gpt2": gpt2, "llama": llama}
