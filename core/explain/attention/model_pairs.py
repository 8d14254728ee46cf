"""Heads of two models on one text, laid on the stretches of characters that both cut it into.

Rows are merged as words are (`core.explain.attention.merge_words`: Clark et al. 2019, section 4.1),
so that they still sum to one, and two heads of any two models can be compared row by row.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.explain.attention.map_overlap import shared_attention
from core.explain.attention.merge_words import Words, merge_words
from core.trace import read_only


@dataclass(frozen=True, slots=True)
class LikeHead:
    """A head, and how much of its attention it has in common with another one."""

    layer: int
    head: int
    shared: float  # Σ min of two rows, mean over rows: from 0 to 1, equal maps


def on_stretches(
    maps: Float32[np.ndarray, "head query key"], words: Words, n_stretches: int
) -> Float32[np.ndarray, "head stretch column"]:
    """Maps between stretches; the last column holds the rest: special tokens, a sink.

    words: what each column's token belongs to, as `shared_stretches` says; with an n-th, that of
    special tokens, where there are some. The first tokens are those of the rows.
    """
    of_row = words.of_token[: maps.shape[1]]
    rows = np.flatnonzero(of_row < n_stretches)
    queries = Words(words.labels[:n_stretches], of_row[rows])
    merged = merge_words(maps[:, rows], queries=queries, keys=words)
    missing = n_stretches + 1 - merged.shape[2]
    return read_only(np.pad(merged, ((0, 0), (0, 0), (0, missing))))


def like_heads(
    one: Float32[np.ndarray, "stretch column"],
    layers: Iterable[Float32[np.ndarray, "_ stretch column"]],
) -> tuple[LikeHead, ...]:
    """Another model's heads, the one first that looks most alike."""
    found = [
        LikeHead(layer, head, shared_attention(one, other))
        for layer, maps in enumerate(layers)
        for head, other in enumerate(maps)
    ]
    return tuple(sorted(found, key=lambda like: -like.shared))
