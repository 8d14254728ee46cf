"""Modules written here, in every way in which people write attention."""

import math
from typing import cast

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention
from typing_extensions import override

import core
from core.errors import InputError
from core.trace import AttentionKind, PatchGrid

HEADS, D = 2, 8


class Written(nn.Module):
    """Attention as a tutorial writes it; `way` says with which functions. Keeps its weights."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way = way
        self.qkv = nn.Linear(D, 3 * D)
        self.drop = nn.Dropout(0.5)
        self.kept: Tensor | None = None

    @override
    def forward(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        split = self.qkv(x).view(batch, length, 3, HEADS, D // HEADS)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        scores = q @ k.mT / math.sqrt(D // HEADS)
        if self.way == "kernel":
            self.kept = scores.softmax(-1)
            return scaled_dot_product_attention(q, k, v)
        if self.way == "flat":
            self.kept = weights = scores.mean(1).softmax(dim=-1)  # one head
            return torch.bmm(self.drop(weights), v.mean(1))
        self.kept = weights = torch.softmax(scores, dim=-1)
        if self.way == "einsum":
            return torch.einsum("bhqk,bhkd->bqhd", weights, v)
        return self.drop(weights).to(v.dtype).matmul(v)


class Router(nn.Module):
    """A softmax that is no attention: of experts, and of classes."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(D, 3)

    @override
    def forward(self, x: Tensor) -> Tensor:
        return (self.gate(x).softmax(-1) * torch.ones(3)).sum(-1)


@pytest.fixture
def x() -> Tensor:
    return torch.randn(3, 5, D, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("way", ["kernel", "matmul", "einsum", "flat"])
def test_every_way_to_write_attention_is_seen(way: str, x: Tensor):
    module = Written(way).eval()
    with core.record(module) as calls:
        module(x)
    assert len(calls) == 1
    assert module.kept is not None
    kept = module.kept if module.kept.ndim == 4 else module.kept[:, None]
    for row in range(3):
        weights = calls.trace(row).attention(0).weights
        np.testing.assert_allclose(weights, kept[row].detach().numpy(), atol=1e-6)
    with pytest.raises(InputError, match="no row 3: the batch had 3"):
        calls.trace(3)


def test_nothing_changes_for_the_module(x: Tensor):
    for module in (Written("matmul").eval(), nn.MultiheadAttention(D, HEADS).eval()):
        given = (x,) if isinstance(module, Written) else (x, x, x)
        plain = module(*given)
        with core.record(module):
            seen = module(*given)
        for one, other in zip(plain, seen, strict=True):
            assert torch.equal(one, other)


def test_a_softmax_that_nothing_is_multiplied_by_is_no_attention(x: Tensor):
    module = nn.Sequential(Router())
    with core.record(module) as calls:
        module(x)
    assert len(calls) == 0
    with pytest.raises(InputError, match="No attention was seen"):
        calls.trace()


@pytest.mark.parametrize("need_weights", [True, False])
def test_pytorchs_own_attention_with_its_heads(need_weights: bool, x: Tensor):
    module = nn.MultiheadAttention(D, HEADS, batch_first=True).eval()
    expected = module(x, x, x, average_attn_weights=False)[1]
    with core.record(module) as calls:
        module(x, x, x, need_weights=need_weights)
    (layer,) = calls
    np.testing.assert_allclose(layer.weights, expected[0].detach().numpy(), atol=1e-6)


def test_pytorchs_transformer_has_its_three_kinds(x: Tensor):
    module = nn.Transformer(D, HEADS, 2, 3, 16, batch_first=True).eval()
    mask = nn.Transformer.generate_square_subsequent_mask(4)
    with torch.inference_mode(), core.record(module) as calls:
        module(x, x[:, :4], tgt_mask=mask)
    trace = calls.trace(1)
    assert {kind: len(layers) for kind, layers in trace.layers.items()} == {
        AttentionKind.ENCODER: 2,
        AttentionKind.DECODER: 3,
        AttentionKind.CROSS: 3,
    }
    assert trace.attention(2, kind=AttentionKind.CROSS).weights.shape == (HEADS, 4, 5)
    causal = trace.attention(0, kind=AttentionKind.DECODER).weights
    assert np.triu(causal, 1).max() == 0
    assert calls.paths[0] == "encoder.layers.0.self_attn"


class Reader(nn.Module):
    """A language model of one layer, of one's own."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, D)
        self.layer = nn.TransformerEncoderLayer(D, HEADS, 16, batch_first=True)
        self.head = nn.Linear(D, vocabulary)

    @override
    def forward(self, ids: Tensor) -> Tensor:
        return self.head(self.layer(self.embed(ids)))


def test_a_text_model_is_wrapped_with_its_tokenizer():
    words = {word: index for index, word in enumerate(("[UNK]", "the", "cat", "sat"))}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = cast("pre_tokenizers.PreTokenizer", pre_tokenizers.Whitespace())
    module = Reader(len(words)).eval()
    trace = core.wrap(module, tokenizer).trace("the cat sat down")
    assert trace.tokens == ("the", "cat", "sat", "[UNK]")
    assert trace.logits is not None
    np.testing.assert_allclose(
        trace.logits, module(torch.tensor([[1, 2, 3, 0]]))[0].detach().numpy(), atol=1e-6
    )
    rollout = core.explain.attention_rollout(trace)
    np.testing.assert_allclose(rollout.sum(-1), 1, atol=1e-5)
    assert "Reader" in repr(trace)


class Seer(nn.Module):
    """A ViT of one layer: a class token and 3 × 3 patches."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, D, 4, 4)
        self.cls = nn.Parameter(torch.zeros(1, 1, D))
        self.attention = Written("matmul")

    @override
    def forward(self, picture: Tensor) -> Tensor:
        patches = self.patch(picture).flatten(2).mT
        tokens = torch.cat([self.cls.expand(len(patches), -1, -1), patches], 1)
        return self.attention(tokens).transpose(1, 2).flatten(2).mean(1)


def test_a_picture_model_is_wrapped_with_its_transform():
    def transform(picture: np.ndarray) -> Tensor:
        return torch.tensor(picture, dtype=torch.float32).permute(2, 0, 1) / 255

    picture = np.arange(12 * 12 * 3, dtype=np.uint8).reshape(12, 12, 3)
    trace = core.wrap(Seer().eval(), transform).trace(picture)
    assert trace.patches == PatchGrid(3, 3, 1)
    assert trace.attention(0).weights.shape == (HEADS, 10, 10)
    given = PatchGrid(1, 9, 1)
    assert core.wrap(Seer().eval(), transform, grid=given).trace(picture).patches == given


def test_what_can_not_be_wrapped_is_said():
    with pytest.raises(InputError, match=r"training mode.*module.eval\(\)"):
        core.wrap(Written("matmul")).trace(torch.zeros(1, 2, D))
    with pytest.raises(InputError, match="with tensors, not with str"):
        core.wrap(Written("matmul").eval()).trace("a text")
