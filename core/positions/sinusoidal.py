"""Sinusoidal positions: each pair of dimensions is a point that walks around a circle.

Vaswani et al., "Attention Is All You Need", NeurIPS 2017, section 3.5.
https://arxiv.org/abs/1706.03762

    PE(pos, 2i) = sin(pos · ω_i)    PE(pos, 2i+1) = cos(pos · ω_i)    ω_i = base^(−2i/d_model)

The paper interleaves sines and cosines; transformers' Marian puts all sines before all cosines:
the same numbers in another order. tensor2tensor, the paper's own code, and what follows it
(fairseq, transformers' M2M-100) also change the numbers: ω_i = base^(−i/(d_model/2 − 1)), whose
longest wavelength is 2π · base at any width.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from jaxtyping import Float32, Float64

from core.positions.sizes import check_base, check_positions, check_table, check_width
from core.trace import read_only

BLOCK = 256  # offsets of one block in `nearest_return`


class Layout(StrEnum):
    """The order of the dimensions."""

    INTERLEAVED = "interleaved"  # sin cos sin cos …, as in the paper
    CONCATENATED = "concatenated"  # all sines, then all cosines


def frequencies(d_model: int, base: float = 10000.0) -> Float64[np.ndarray, " pair"]:
    """ω_i in radians a position, one for each pair of dimensions, fastest first."""
    check_width(d_model)
    check_base(base)
    return base ** (-np.arange(0, d_model, 2) / d_model)


def wavelengths(d_model: int, base: float = 10000.0) -> Float64[np.ndarray, " pair"]:
    """2π / ω_i, in positions: from 2π to 2π · base^((d_model − 2)/d_model)."""
    return 2 * np.pi / frequencies(d_model, base)


def sinusoidal(
    n_positions: int,
    d_model: int,
    base: float = 10000.0,
    layout: Layout = Layout.INTERLEAVED,
) -> Float32[np.ndarray, "position d_model"]:
    """The table of encodings. Raises InputError for odd widths, no position, and too many."""
    check_positions(n_positions)
    check_table(n_positions, d_model)
    angles = np.arange(n_positions)[:, None] * frequencies(d_model, base)  # (position, pair)
    return read_only(_arranged(np.sin(angles), np.cos(angles), layout).astype(np.float32))


def wave(
    places: Float64[np.ndarray, " place"], dim: int, d_model: int, base: float = 10000.0
) -> Float64[np.ndarray, " place"]:
    """One dimension, interleaved, along positions that need not be whole."""
    angles = places * frequencies(d_model, base)[dim // 2]
    return np.cos(angles) if dim % 2 else np.sin(angles)


@dataclass(frozen=True, slots=True)
class ShiftCheck:
    """PE[pos + k] = M PE[pos] in float32, over many positions at once."""

    error: float  # the largest |PE[pos + k] − M PE[pos]|
    off_orthogonal: float  # the largest entry of MᵀM − I
    shortest: float  # ‖PE‖, which should be √(d/2) everywhere
    longest: float
    length: float  # √(d/2)


def check_shift(
    k: int,
    d_model: int,
    base: float = 10000.0,
    layout: Layout = Layout.INTERLEAVED,
    *,
    n_positions: int,
) -> ShiftCheck:
    """What `shift_matrix` promises, on the first positions that a shift by k leaves on the line."""
    table = sinusoidal(n_positions + abs(k), d_model, base, layout)
    first = max(0, -k)
    starts = table[first : first + n_positions]
    shifted = table[first + k : first + k + n_positions]
    matrix = shift_matrix(k, d_model, base, layout)
    lengths = np.linalg.norm(table, axis=1)
    return ShiftCheck(
        error=float(np.abs(starts @ matrix.T - shifted).max()),
        off_orthogonal=float(np.abs(matrix.T @ matrix - np.eye(d_model)).max()),
        shortest=float(lengths.min()),
        longest=float(lengths.max()),
        length=float(np.sqrt(d_model / 2)),
    )


def dot_products(
    n_positions: int, d_model: int, base: float = 10000.0
) -> Float32[np.ndarray, "position position"]:
    """PE(i) · PE(j)."""
    table = sinusoidal(n_positions, d_model, base)
    return (table @ table.T).astype(np.float32)


def spread_along_diagonals(matrix: Float32[np.ndarray, "n n"]) -> float:
    """By how much numbers of one distance i − j ≥ 0 differ at most: 0 if only it counts."""
    return max(float(np.ptp(np.diagonal(matrix, -offset))) for offset in range(len(matrix)))


def shift_matrix(
    k: int, d_model: int, base: float = 10000.0, layout: Layout = Layout.INTERLEAVED
) -> Float32[np.ndarray, "d_model d_model"]:
    """M with PE[pos + k] = M @ PE[pos] for every pos: a rotation by k·ω_i in each pair.

    Interleaved it is block-diagonal, [[cos, sin], [−sin, cos]]; concatenated, it has four
    diagonals. It is orthogonal, and it depends on k alone.
    """
    check_table(d_model, d_model)
    angles = k * frequencies(d_model, base)
    matrix = np.zeros((d_model, d_model), dtype=np.float32)
    places = np.arange(d_model)
    order = places if layout == Layout.INTERLEAVED else np.r_[0:d_model:2, 1:d_model:2]
    sines, cosines = np.argsort(order)[0::2], np.argsort(order)[1::2]  # columns of each pair
    matrix[sines, sines] = matrix[cosines, cosines] = np.cos(angles)
    matrix[sines, cosines] = np.sin(angles)
    matrix[cosines, sines] = -np.sin(angles)
    return read_only(matrix)


def dot_by_offset(
    offsets: Float64[np.ndarray, " offset"], d_model: int, base: float = 10000.0
) -> Float64[np.ndarray, " offset"]:
    """PE(i) · PE(j) for i − j in `offsets`: Σ cos((i − j) ω), whatever i is."""
    check_table(len(offsets), d_model)
    return np.cos(offsets[:, None] * frequencies(d_model, base)).sum(axis=1)


def nearest_return(
    d_model: int, base: float = 10000.0, up_to: int = 100_000
) -> tuple[int, float, float]:
    """The offset k ≥ 1 at which ‖PE(pos + k) − PE(pos)‖ is smallest, that, and that of k = 1.

    The distance, 2 √Σ sin²(k ω / 2), is never zero: it would need k ω_0 = k to be a multiple
    of 2π, which no whole number is.
    """
    check_table(up_to, 1)
    return _nearest_return(d_model, base, up_to)


@lru_cache(maxsize=64)
def _nearest_return(d_model: int, base: float, up_to: int) -> tuple[int, float, float]:
    omega = frequencies(d_model, base)
    inner = np.exp(1j * np.arange(BLOCK)[:, None] * omega)  # (b, pair)
    outer = np.exp(1j * np.arange(0, up_to + 1, BLOCK)[:, None] * omega)  # (a, pair)
    dots = np.real(outer @ inner.T).ravel()[1 : up_to + 1]  # Σ cos((a + b) ω)
    nearest = int(np.argmax(dots)) + 1

    def distance(k: int) -> float:
        return float(2 * np.sqrt((np.sin(k * omega / 2) ** 2).sum()))

    return nearest, distance(nearest), distance(1)


def _arranged(sines: np.ndarray, cosines: np.ndarray, layout: Layout) -> np.ndarray:
    if layout == Layout.CONCATENATED:
        return np.concatenate([sines, cosines], axis=-1)
    return np.stack([sines, cosines], axis=-1).reshape(*sines.shape[:-1], -1)
