"""All heads at a glance: what a grid of thumbnails needs, small enough to send.

The codes are for looking only: √(weight ÷ the head's largest weight) in 64 steps.
Linear codes would show most weights as zero (84 % of them at 197 tokens); more steps
can't be told apart in a thumbnail, and cost a third more bytes. Every number that is
printed is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
from jaxtyping import Bool, Float32, UInt8

from core.trace import read_only

MAX_CODES: Final = 3_000_000  # codes of all heads together; 12 × 12 heads reach it at 144 tokens
TOP_CODE: Final = 63


@dataclass(frozen=True, slots=True)
class StrongestPair:
    """A head's largest weight between two different tokens, neither of them special."""

    query: int
    key: int
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class HeadOverview:
    """Every head's map as codes, and exact facts about each head."""

    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    codes: tuple[UInt8[np.ndarray, "_ row column"], ...]  # one array (head, row, column) a layer
    maxima: tuple[Float32[np.ndarray, " _"], ...]  # exact weight behind TOP_CODE
    strongest: tuple[tuple[StrongestPair | None, ...], ...]
    special_mass: tuple[Float32[np.ndarray, " _"], ...] | None  # on special keys, mean of queries
    pool: int  # a code is the maximum of pool × pool weights


def head_overview(
    weights_by_layer: Iterable[Float32[np.ndarray, "_ _ _"]],
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    special_queries: Bool[np.ndarray, " query"] | None = None,
    special_keys: Bool[np.ndarray, " key"] | None = None,
    n_heads: int | None = None,
) -> HeadOverview:
    """Code every head's map and find its strongest pair, one layer at a time.

    The strongest pair leaves out special tokens and the diagonal, where most heads
    put most of their mass: "it → animal" says more than "[CLS] → [SEP]". Where
    nothing else is left (or nothing weighs anything) it is None.

    n_heads: heads of all layers together. With it the layers may come from a
    generator, so that no more than one layer's weights are in memory.
    """
    if n_heads is None:
        weights_by_layer = list(weights_by_layer)
        n_heads = sum(len(weights) for weights in weights_by_layer)
    expected = (len(query_tokens), len(key_tokens))
    pool = _pool_factor(n_heads, *expected)
    telling = _telling_pairs(expected, special_queries, special_keys)
    codes: list[np.ndarray] = []
    maxima: list[np.ndarray] = []
    strongest: list[tuple[StrongestPair | None, ...]] = []
    special_mass: list[np.ndarray] = []
    for index, weights in enumerate(weights_by_layer):
        if weights.shape[1:] != expected:
            raise ValueError(
                f"layer {index} has maps of {weights.shape[1:]} (query, key) but the token lists "
                f"have lengths {expected}"
            )
        maxima.append(read_only(weights.max(axis=(1, 2), initial=0.0)))
        codes.append(read_only(codes_of(weights, maxima[-1], pool)))
        strongest.append(tuple(_strongest(head, telling) for head in weights))
        if special_keys is not None:
            mass = weights[:, :, special_keys].sum(axis=2).mean(axis=1)
            special_mass.append(read_only(mass))
    return HeadOverview(
        query_tokens=tuple(query_tokens),
        key_tokens=tuple(key_tokens),
        codes=tuple(codes),
        maxima=tuple(maxima),
        strongest=tuple(strongest),
        special_mass=None if special_keys is None else tuple(special_mass),
        pool=pool,
    )


def _pool_factor(n_heads: int, n_queries: int, n_keys: int) -> int:
    """The smallest p such that one code for each p × p weights keeps within MAX_CODES."""
    pool = 1
    while n_heads * -(-n_queries // pool) * -(-n_keys // pool) > MAX_CODES:
        pool += 1
    return pool


def codes_of(
    weights: Float32[np.ndarray, "head query key"], maximum: Float32[np.ndarray, " head"], pool: int
) -> UInt8[np.ndarray, "head row column"]:
    """√(weight ÷ the head's maximum) in 64 steps, of the largest weight of each block."""
    if pool > 1:
        missing = [(0, 0)] + [(0, -size % pool) for size in weights.shape[1:]]
        padded = np.pad(weights, missing)  # with zeros, which no maximum notices
        offsets = [padded[:, i::pool, j::pool] for i in range(pool) for j in range(pool)]
        weights = reduce(np.maximum, offsets)  # ten times as fast as .max over two axes
    relative = weights / np.where(maximum > 0, maximum, 1)[:, None, None]
    np.sqrt(relative, out=relative)
    return np.rint(relative * TOP_CODE).astype(np.uint8)


def _telling_pairs(
    shape: tuple[int, int],
    special_queries: Bool[np.ndarray, " query"] | None,
    special_keys: Bool[np.ndarray, " key"] | None,
) -> Bool[np.ndarray, "query key"]:
    telling = ~np.eye(*shape, dtype=bool)
    if special_queries is not None:
        telling[special_queries] = False
    if special_keys is not None:
        telling[:, special_keys] = False
    return telling


def _strongest(
    weights: Float32[np.ndarray, "query key"], telling: Bool[np.ndarray, "query key"]
) -> StrongestPair | None:
    candidates = np.where(telling, weights, 0)
    query, key = divmod(int(candidates.argmax()), weights.shape[1])
    weight = float(candidates[query, key])
    return StrongestPair(query, key, weight) if weight > 0 else None
