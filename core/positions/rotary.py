"""Rotary positions: a query and a key are turned, so that their product knows only the distance.

Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021,
equations 13, 15 and 34. https://arxiv.org/abs/2104.09864

The angles are those of the sinusoidal encoding, but they multiply instead of being added, in
every layer and only for queries and keys.
"""

import numpy as np
from jaxtyping import Float32, Float64

from core.errors import InputError
from core.positions.sinusoidal import Layout, frequencies
from core.positions.sizes import check_positions, check_table
from core.trace import read_only


def rotary_angles(
    n_positions: int, d_head: int, base: float = 10000.0
) -> Float32[np.ndarray, "position pair"]:
    """By how much each pair of dimensions is turned at each position, in radians."""
    check_positions(n_positions)
    check_table(n_positions, d_head)
    return read_only(_angles(np.arange(n_positions), d_head, base).astype(np.float32))


def rotary(
    vectors: Float32[np.ndarray, "*axes position d_head"],
    positions: np.ndarray | None = None,
    base: float = 10000.0,
    layout: Layout = Layout.INTERLEAVED,
) -> Float32[np.ndarray, "*axes position d_head"]:
    """Vectors turned by their positions, which are 0, 1, 2, … unless given.

    Dimensions 2i and 2i + 1 make a pair as in the paper, or, concatenated, i and i + d/2 as in
    GPT-NeoX and Llama. Raises InputError for an odd d_head or positions that do not fit.
    """
    n_positions, d_head = map(int, vectors.shape[-2:])
    places = np.arange(n_positions) if positions is None else np.asarray(positions)
    if places.shape != (n_positions,):
        raise InputError(f"{places.size} positions came for {n_positions} vectors. Give each one.")
    angles = _angles(places, d_head, base)
    cosine, sine = np.cos(angles), np.sin(angles)
    turned = np.empty(vectors.shape, dtype=np.float32)
    half = d_head // 2
    firsts, seconds = (
        (slice(0, None, 2), slice(1, None, 2))
        if layout == Layout.INTERLEAVED
        else (slice(0, half), slice(half, None))
    )
    first, second = vectors[..., firsts], vectors[..., seconds]
    turned[..., firsts] = first * cosine - second * sine
    turned[..., seconds] = first * sine + second * cosine
    return read_only(turned)


def wrapped(angles: Float32[np.ndarray, "*axes"]) -> Float32[np.ndarray, "*axes"]:
    """The same directions as angles from −π to below π."""
    return ((angles + np.pi) % (2 * np.pi) - np.pi).astype(np.float32)


def products_by_offset(
    query: Float32[np.ndarray, " d_head"],
    key: Float32[np.ndarray, " d_head"],
    offsets: np.ndarray,
    base: float = 10000.0,
) -> Float64[np.ndarray, " offset"]:
    """q · k after rotation, when the key stands `offsets` places before the query."""
    omega = frequencies(len(query), base)
    pair_q = query[0::2] + 1j * query[1::2]
    pair_k = key[0::2] + 1j * key[1::2]
    return (np.exp(1j * np.asarray(offsets)[:, None] * omega) @ (pair_q * pair_k.conj())).real


def decay_bound(
    offsets: np.ndarray, d_head: int, base: float = 10000.0
) -> Float64[np.ndarray, " offset"]:
    """Mean over i of |Σ_{j<i} exp(√−1 (m−n) ω_j)|: how the bound on q · k falls (section 3.4.3)."""
    turns = np.exp(1j * np.asarray(offsets)[:, None] * frequencies(d_head, base))
    return np.abs(np.cumsum(turns, axis=1)).mean(axis=1)


def _angles(positions: np.ndarray, d_head: int, base: float) -> np.ndarray:
    return positions[:, None] * frequencies(d_head, base)
