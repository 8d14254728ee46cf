"""What a layer costs: operations, sequential steps and path length of four layer types.

Vaswani et al., "Attention Is All You Need", 2017, table 1, https://arxiv.org/abs/1706.03762.
n is the sequence's length, d the width, k a convolution's kernel, r the neighbours that
restricted self-attention sees. These are orders without constants: the table's, not a clock's.
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from jaxtyping import Float64

LayerType = Literal["self-attention", "recurrent", "convolution", "restricted"]
LAYER_TYPES: Final[tuple[LayerType, ...]] = (
    "self-attention",
    "recurrent",
    "convolution",
    "restricted",
)
Lengths = Float64[np.ndarray, " length"]


@dataclass(frozen=True)
class Widths:
    """The table's letters besides n."""

    d: int = 512
    k: int = 3
    r: int = 128


def operations(layer: LayerType, n: Lengths, widths: Widths) -> Lengths:
    """Operations a layer: n²d, nd², knd², rnd. A neighbourhood is at most the sequence."""
    d = float(widths.d)
    if layer == "self-attention":
        return n**2 * d
    if layer == "recurrent":
        return n * d**2
    if layer == "convolution":
        return widths.k * n * d**2
    return np.minimum(n, widths.r) * n * d


def sequential_operations(layer: LayerType, n: Lengths) -> Lengths:
    """Steps that must wait for one another: n for a recurrent layer, else 1."""
    return n if layer == "recurrent" else np.ones_like(n)


def path_length(layer: LayerType, n: Lengths, widths: Widths) -> Lengths:
    """Layers (for a recurrent one: steps) that a signal needs between the two ends.

    1, n, log_k n (dilated convolutions; n/k for contiguous ones), n/r; at least one.
    """
    if layer == "self-attention":
        return np.ones_like(n)
    if layer == "recurrent":
        return n
    if layer == "convolution":
        return np.maximum(1, np.log(n) / np.log(widths.k))
    return np.maximum(1, n / widths.r)


@dataclass(frozen=True)
class Crossover:
    """Below `n` self-attention needs fewer operations than `other`, above it more."""

    other: LayerType
    n: float
    operations: float
    rule: str


def crossovers(widths: Widths) -> tuple[Crossover, ...]:
    """Where self-attention's n²d meets the others: n = d, n = k·d, n = r."""
    meetings: tuple[tuple[LayerType, int, str], ...] = (
        ("recurrent", widths.d, "n = d"),
        ("convolution", widths.k * widths.d, "n = k·d"),
        ("restricted", widths.r, "n = r"),
    )
    return tuple(
        Crossover(other, float(n), float(n) ** 2 * widths.d, rule) for other, n, rule in meetings
    )
