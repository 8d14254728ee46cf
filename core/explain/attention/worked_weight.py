"""One attention weight, fully worked: softmax(q·k × scale + bias), and what it moves.

Vaswani et al., "Attention Is All You Need", 2017, equation 1.
https://arxiv.org/abs/1706.03762
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float32

from core.trace import MASKED, read_only


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
    value: Float32[np.ndarray, " d_value"]
    products: Float32[np.ndarray, " d_head"]  # query × key, elementwise
    dot: float  # their sum
    scale: float  # usually 1/√d_head
    scaled: float  # dot × scale
    bias: float  # the mask's or position's term; −inf where looking is forbidden
    score: float  # scaled + bias
    row_scores: Float32[np.ndarray, " key"]
    row_exponentials: Float32[np.ndarray, " key"]  # exp(score − the row's largest)
    normaliser: float  # their sum
    row_weights: Float32[np.ndarray, " key"]  # exponentials ÷ normaliser
    weight: float
    contribution: Float32[np.ndarray, " d_value"]  # weight × value
    output: Float32[np.ndarray, " d_value"]  # Σ weights × values: what the head writes here


def worked_cell(
    queries: Float32[np.ndarray, "head query d_head"],
    keys: Float32[np.ndarray, "head key d_head"],
    values: Float32[np.ndarray, "head key d_value"],
    *,
    bias: Float32[np.ndarray, "#head #query #key"] | None,
    scale: float,
    cell: tuple[int, int, int],
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
) -> WorkedCell:
    """Work out the weight of `cell` = (head, query, key), and the row it competes in.

    In float64, so that every number follows from those before it to more digits than are printed.
    """
    head, query, key = cell
    shape = (len(queries), len(query_tokens), len(key_tokens))
    if not all(0 <= index < size for index, size in zip(cell, shape, strict=True)):
        raise ValueError(f"cell {cell} lies outside (head, query, key) = {shape}")
    q, k, v = queries[head, query], keys[head], values[head]
    row_bias = _row_bias(bias, (len(queries), *shape[1:]), head, query)
    products = np.multiply(q, k[key], dtype=np.float64)
    row_scores = k.astype(np.float64) @ q.astype(np.float64) * scale + row_bias
    if (row_scores == -np.inf).all():
        raise ValueError(f"query {query} may look at no key, so its row has no weights")
    exponentials = np.exp(row_scores - row_scores.max())
    normaliser = exponentials.sum()
    weights = exponentials / normaliser
    return WorkedCell(
        head=head,
        query_index=query,
        key_index=key,
        query_token=query_tokens[query],
        key_token=key_tokens[key],
        row_tokens=tuple(key_tokens),
        query=read_only(q),
        key=read_only(k[key]),
        value=read_only(v[key]),
        products=_exact(products),
        dot=float(products.sum()),
        scale=float(scale),
        scaled=float(products.sum() * scale),
        bias=float(row_bias[key]),
        score=float(row_scores[key]),
        row_scores=_exact(row_scores),
        row_exponentials=_exact(exponentials),
        normaliser=float(normaliser),
        row_weights=_exact(weights),
        weight=float(weights[key]),
        contribution=_exact(weights[key] * v[key]),
        output=_exact(weights @ v),
    )


def _exact(values: Float[np.ndarray, " any"]) -> Float32[np.ndarray, " any"]:
    """What was worked out in float64, rounded once."""
    return read_only(values.astype(np.float32))


def _row_bias(
    bias: Float32[np.ndarray, "#head #query #key"] | None,
    shape: tuple[int, int, int],
    head: int,
    query: int,
) -> Float32[np.ndarray, " key"]:
    """The row's bias, with every library's "very negative" written as −inf."""
    if bias is None:
        return np.zeros(shape[2], dtype=np.float32)
    row = np.broadcast_to(bias, shape)[head, query]
    return np.where(row > MASKED, row, np.float32(-np.inf)).astype(np.float32)
