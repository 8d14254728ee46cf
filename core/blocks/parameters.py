"""Every matrix of a Transformer of a given shape, counted.

The shapes are those of the papers' released models, biases and norms included, so that the
sum equals that of a really built module: transformers' BertModel, GPT2LMHeadModel,
MarianMTModel (the paper's Transformer) and T5ForConditionalGeneration, timm's ViT.
A matrix that is used twice (tied output and input embeddings) counts once.
"""

from dataclasses import dataclass
from math import prod
from typing import Final, Literal

from core.errors import InputError

Family = Literal["encoder", "decoder", "encoder-decoder", "t5", "vision"]
LARGEST: Final = 10**6  # of any number in a shape
CHANNELS: Final = 3  # red, green, blue
SEGMENTS: Final = 2  # sentence A and B
BUCKETS: Final = 32  # T5's relative distances


@dataclass(frozen=True)
class Shape:
    """The numbers that make a Transformer; an encoder–decoder has `layers` of each."""

    family: Family
    layers: int
    d_model: int
    d_ff: int
    heads: int
    d_head: int  # d_k; heads · d_head need not be d_model
    vocabulary: int  # of a vision model: classes
    positions: int = 0  # learned ones; 0 for sinusoidal and relative ones
    patch: int = 0  # pixels; vision only
    attention_bias: bool = True
    d_value: int = 0  # d_v; 0 for d_k

    @property
    def inner(self) -> int:
        """All heads' queries, or keys, side by side."""
        return self.heads * self.d_head

    @property
    def inner_values(self) -> int:
        """All heads' values side by side."""
        return self.heads * (self.d_value or self.d_head)

    def __post_init__(self) -> None:
        """Raises InputError for numbers that make no module."""
        numbers = {
            "layers": self.layers,
            "d_model": self.d_model,
            "d_ff": self.d_ff,
            "heads": self.heads,
            "d_head": self.d_head,
            "vocabulary": self.vocabulary,
        }
        for name, number in numbers.items():
            if not 1 <= number <= LARGEST:
                raise InputError(f"{name} is {number:,}; 1 to {LARGEST:,} is allowed.")


@dataclass(frozen=True)
class Matrix:
    """One weight: where it stands, its shape, and how many there are of it."""

    part: str
    name: str
    shape: tuple[int, ...]
    times: int = 1

    @property
    def count(self) -> int:
        return prod(self.shape) * self.times


def matrices(shape: Shape) -> tuple[Matrix, ...]:
    """All weights, from the input to the output."""
    return (*_embeddings(shape), *_blocks(shape), *_head(shape))


def total(shape: Shape) -> int:
    """The number of parameters."""
    return sum(matrix.count for matrix in matrices(shape))


def _embeddings(shape: Shape) -> list[Matrix]:
    d = shape.d_model
    if shape.family == "vision":
        return [
            Matrix("embeddings", "patches", (CHANNELS * shape.patch**2, d)),
            Matrix("embeddings", "patches, bias", (d,)),
            Matrix("embeddings", "class token", (d,)),
            Matrix("embeddings", "positions", (shape.positions, d)),
        ]
    found = [Matrix("embeddings", "tokens", (shape.vocabulary, d))]
    if shape.positions:
        found.append(Matrix("embeddings", "positions", (shape.positions, d)))
    if shape.family == "encoder":
        found.append(Matrix("embeddings", "segments", (SEGMENTS, d)))
        found += _norm("embeddings", shape, 1, "norm, ")
    return found


def _blocks(shape: Shape) -> list[Matrix]:
    n = shape.layers
    if shape.family in ("encoder", "decoder", "vision"):
        kind = "decoder" if shape.family == "decoder" else "encoder"
        found = [
            *_attention(f"{kind} self-attention", shape, n),
            *_feed_forward(f"{kind} feed-forward", shape, n),
            *_norm(f"{kind} norms", shape, 2 * n),
        ]
        pre_norm = shape.family in ("decoder", "vision")
        return found + (_norm(f"{kind} norms", shape, 1, "final ") if pre_norm else [])
    found = [
        *_attention("encoder self-attention", shape, n),
        *_feed_forward("encoder feed-forward", shape, n),
        *_norm("encoder norms", shape, 2 * n),
        *_attention("decoder self-attention", shape, n),
        *_attention("decoder cross-attention", shape, n),
        *_feed_forward("decoder feed-forward", shape, n),
        *_norm("decoder norms", shape, 3 * n),
    ]
    if shape.family == "t5":
        for stack in ("encoder", "decoder"):
            buckets = (BUCKETS, shape.heads)
            found.append(Matrix(f"{stack} self-attention", "relative positions", buckets))
            found += _norm(f"{stack} norms", shape, 1, "final ")
    return found


def _head(shape: Shape) -> list[Matrix]:
    d = shape.d_model
    if shape.family == "encoder":
        return [Matrix("pooler", "W", (d, d)), Matrix("pooler", "bias", (d,))]
    if shape.family == "vision":
        classes = shape.vocabulary
        return [Matrix("classifier", "W", (d, classes)), Matrix("classifier", "bias", (classes,))]
    return []  # tied to the tokens' embeddings


def _attention(part: str, shape: Shape, times: int) -> list[Matrix]:
    found = [
        Matrix(part, "W^Q", (shape.d_model, shape.inner), times),
        Matrix(part, "W^K", (shape.d_model, shape.inner), times),
        Matrix(part, "W^V", (shape.d_model, shape.inner_values), times),
        Matrix(part, "W^O", (shape.inner_values, shape.d_model), times),
    ]
    if shape.attention_bias and shape.family != "t5":
        found.append(Matrix(part, "biases of Q and K", (2, shape.inner), times))
        found.append(Matrix(part, "bias of V", (shape.inner_values,), times))
        found.append(Matrix(part, "bias of O", (shape.d_model,), times))
    return found


def _feed_forward(part: str, shape: Shape, times: int) -> list[Matrix]:
    found = [
        Matrix(part, "W₁", (shape.d_model, shape.d_ff), times),
        Matrix(part, "W₂", (shape.d_ff, shape.d_model), times),
    ]
    if shape.family != "t5":
        found.append(Matrix(part, "b₁", (shape.d_ff,), times))
        found.append(Matrix(part, "b₂", (shape.d_model,), times))
    return found


def _norm(part: str, shape: Shape, times: int, which: str = "") -> list[Matrix]:
    """LayerNorm's gain and bias; T5's RMSNorm has a gain only."""
    numbers = (shape.d_model,) if shape.family == "t5" else (2, shape.d_model)
    name = "gain" if shape.family == "t5" else "gain and bias"
    return [Matrix(part, f"{which}{name}", numbers, times)]
