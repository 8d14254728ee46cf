"""One attention weight, fully worked: softmax(q·k × scale + bias) and what it moves.

Vaswani et al., "Attention Is All You Need", 2017, equation 1.
https://arxiv.org/abs/1706.03762
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32


@dataclass(frozen=True, slots=True, eq=False)
class WorkedCell:
    """Every number between a query, a key and the weight that joins them."""

    head: int
    query_index: int
    key_index: int
    query_token: str
    key_token: str
    row_tokens: tuple[str, ...]
    query: Float32[np.ndarray, " d_head"]
    key: Float32[np.ndarray, " d_head"]
    value: Float32[np.ndarray, " d_head"]
    products: Float32[np.ndarray, " d_head"]  # query × key, elementwise
    dot: float  # their sum
    scale: float  # usually 1/√d_head
    scaled: float  # dot × scale
    bias: float  # the mask's or position's term; −inf where attention is not allowed
    score: float  # scaled + bias
    row_scores: Float32[np.ndarray, " key"]
    row_exponentials: Float32[np.ndarray, " key"]  # exp(score − the row's largest)
    normaliser: float  # their sum
    row_weights: Float32[np.ndarray, " key"]
    weight: float
    contribution: Float32[np.ndarray, " d_head"]  # weight × value
    output: Float32[np.ndarray, " d_head"]  # Σ weights × values: what the head writes for this query


def worked_cell(
    queries: Float32[np.ndarray, "head query d_head"],
    keys: Float32[np.ndarray, "head key d_head"],
    values: Float32[np.ndarray, "head key d_value"],
    *,
    bias: Float32[np.ndarray, "#head #query key"] | None,
    scale: float,
    cell: tuple[int, int, int],
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
) -> WorkedCell:
    """Work out the weight of `cell` = (head, query, key), with the scores it competes with."""
    raise NotImplementedError
