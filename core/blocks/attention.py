"""Scaled dot-product attention, step by step, on a few tokens.

Vaswani et al., "Attention Is All You Need", 2017, equation 1.
https://arxiv.org/abs/1706.03762
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Float32

from core.errors import InputError
from core.trace import read_only, softmax

LARGEST: Final = 1000.0  # of a number in a matrix, up or down


@dataclass(frozen=True, slots=True, eq=False)
class AttentionSteps:
    """Every matrix between Q, K, V and the output; rows are queries."""

    dots: Float32[np.ndarray, "query key"]  # Q Kᵀ
    scale: float  # 1 / (λ √d_k), or 1 / λ
    scaled: Float32[np.ndarray, "query key"]  # dots × scale
    masked: Float32[np.ndarray, "query key"]  # −inf where looking is forbidden
    weights: Float32[np.ndarray, "query key"]  # softmax of the rows
    output: Float32[np.ndarray, "query d_value"]  # weights · V


def attention_steps(
    queries: Float32[np.ndarray, "query d_k"],
    keys: Float32[np.ndarray, "key d_k"],
    values: Float32[np.ndarray, "key d_value"],
    *,
    scale: float,
    allowed: Bool[np.ndarray, "query key"],
) -> AttentionSteps:
    """softmax(Q Kᵀ × scale + mask) V, with all that lies between.

    Raises InputError for an empty cell, a number beyond ±1000, or a query that may look nowhere.
    """
    for name, matrix in (("Q", queries), ("K", keys), ("V", values)):
        _check(name, matrix)
    blind = np.flatnonzero(~allowed.any(axis=1))
    if blind.size:
        raise InputError(
            f"Query {blind[0] + 1} may look at no key: the softmax of nothing but −∞ is not "
            "defined. Allow it at least one key."
        )
    dots = queries @ keys.T
    scaled = dots * np.float32(scale)
    masked = np.where(allowed, scaled, np.float32(-np.inf))
    weights = softmax(masked)
    return AttentionSteps(
        dots=read_only(dots),
        scale=scale,
        scaled=read_only(scaled),
        masked=read_only(masked),
        weights=read_only(weights),
        output=read_only(weights @ values),
    )


def attention_scale(d_k: int, temperature: float, *, by_root: bool) -> float:
    """1 / (λ √d_k); without the root, 1 / λ."""
    return float(1 / (temperature * (np.sqrt(d_k) if by_root else 1)))


def causal(size: int) -> Bool[np.ndarray, "query key"]:
    """Each position sees itself and what came before (Vaswani et al. 2017, section 3.2.3)."""
    return np.tri(size, dtype=bool)


def _check(name: str, matrix: Float32[np.ndarray, "row column"]) -> None:
    for row, column in np.argwhere(~(np.abs(matrix) <= LARGEST)):
        given = matrix[row, column]
        came = "is empty" if np.isnan(given) else f"is {given:g}"
        raise InputError(
            f"{name}, row {row}, column {column} {came}. Put a number from "
            f"{-LARGEST:g} to {LARGEST:g} there."
        )
