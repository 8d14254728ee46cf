"""Every matrix of a Transformer of a given shape, counted.

The shapes are those of the papers' released models, biases and norms included, so that the
sum equals that of a really built module: transformers' BertModel, GPT2LMHeadModel,
MarianMTModel (the paper's Transformer) and T5ForConditionalGeneration, timm's ViT.
A matrix that is used twice (tied output and input embeddings) counts once.
"""

from dataclasses import dataclass, replace
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
    d_head: int  # d_k = d_v; heads · d_head need not be d_model
    vocabulary: int  # of a vision model: classes
    positions: int = 0  # learned ones; 0 for sinusoidal and relative ones
    patch: int = 0  # pixels; vision only
    attention_bias: bool = True

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
    inner = shape.heads * shape.d_head
    found = [Matrix(part, f"W^{name}", (shape.d_model, inner), times) for name in "QKV"]
    found.append(Matrix(part, "W^O", (inner, shape.d_model), times))
    if shape.attention_bias and shape.family != "t5":
        found.append(Matrix(part, "biases of Q, K, V", (3, inner), times))
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


@dataclass(frozen=True)
class Preset:
    """A published model: its shape, and the number of parameters that its paper prints."""

    title: str
    shape: Shape
    published: int  # millions
    paper: str
    why: str = ""  # ours differs


TRANSFORMER: Final = Shape("encoder-decoder", 6, 512, 2048, 8, 64, 37_000, attention_bias=False)
BERT: Final = Shape("encoder", 12, 768, 3072, 12, 64, 30_522, positions=512)
GPT2: Final = Shape("decoder", 12, 768, 3072, 12, 64, 50_257, positions=1024)
VIT: Final = Shape("vision", 12, 768, 3072, 12, 64, 1000, positions=197, patch=16)
T5: Final = Shape("t5", 12, 768, 3072, 12, 64, 32_128)
GPT3: Final = replace(GPT2, positions=2048)


def _wide(shape: Shape, layers: int, d_model: int, heads: int, d_head: int = 64) -> Shape:
    """The same family with d_ff = 4 · d_model."""
    return replace(
        shape, layers=layers, d_model=d_model, d_ff=4 * d_model, heads=heads, d_head=d_head
    )


ABOUT_37K: Final = "The paper says “about 37,000” tokens and prints rounded sums."
BERT_WHY: Final = "The paper rounds."
MISPRINT: Final = "A misprint: the authors corrected 117, 345, 762, 1542 to 124, 355, 774, 1558."
VIT_WHY: Final = "The paper does not say whether a head is counted; ours has 1000 classes."
GPT3_WHY: Final = "heads · d_head is not d_model in the paper's table 2.1; ours takes it literally."
PRESETS: Final = {
    "transformer": Preset(
        "Transformer base", TRANSFORMER, 65, "Vaswani et al. 2017, table 3", ABOUT_37K
    ),
    "transformer-big": Preset(
        "Transformer big", _wide(TRANSFORMER, 6, 1024, 16), 213,
        "Vaswani et al. 2017, table 3", ABOUT_37K,
    ),
    "bert": Preset("BERT base", BERT, 110, "Devlin et al. 2019, section 3", BERT_WHY),
    "bert-large": Preset(
        "BERT large", _wide(BERT, 24, 1024, 16), 340, "Devlin et al. 2019, section 3", BERT_WHY
    ),
    "gpt": Preset(
        "GPT", replace(GPT2, vocabulary=40_478, positions=512), 117,
        "Radford et al. 2019, table 2 (its smallest is called the equal of GPT)",
        "GPT's block has its norms after the sums and none at the end: 1,536 fewer.",
    ),
    "gpt2": Preset("GPT-2 small", GPT2, 117, "Radford et al. 2019, table 2", MISPRINT),
    "gpt2-medium": Preset(
        "GPT-2 medium", _wide(GPT2, 24, 1024, 16), 345, "Radford et al. 2019, table 2", MISPRINT
    ),
    "gpt2-large": Preset(
        "GPT-2 large", _wide(GPT2, 36, 1280, 20), 762, "Radford et al. 2019, table 2", MISPRINT
    ),
    "gpt2-xl": Preset(
        "GPT-2 XL", _wide(GPT2, 48, 1600, 25), 1542, "Radford et al. 2019, table 2", MISPRINT
    ),
    "gpt3-xl": Preset(
        "GPT-3 XL", _wide(GPT3, 24, 2048, 24, 128), 1320,
        "Brown et al. 2020, table 2.1", GPT3_WHY,
    ),
    "gpt3-13b": Preset(
        "GPT-3 13B", _wide(GPT3, 40, 5140, 40, 128), 12_850,
        "Brown et al. 2020, table 2.1", GPT3_WHY,
    ),
    "gpt3": Preset(
        "GPT-3 175B", _wide(GPT3, 96, 12_288, 96, 128), 174_600, "Brown et al. 2020, table 2.1"
    ),
    "vit": Preset("ViT-B/16", VIT, 86, "Dosovitskiy et al. 2021, table 1", VIT_WHY),
    "vit-large": Preset(
        "ViT-L/16", _wide(VIT, 24, 1024, 16), 307, "Dosovitskiy et al. 2021, table 1", VIT_WHY
    ),
    "vit-huge": Preset(
        "ViT-H/14", replace(_wide(VIT, 32, 1280, 16, 80), positions=257, patch=14), 632,
        "Dosovitskiy et al. 2021, table 1", VIT_WHY,
    ),
    "t5": Preset("T5 base", T5, 220, "Raffel et al. 2020, section 3.1.1", "“about 220 million”."),
}  # fmt: skip
