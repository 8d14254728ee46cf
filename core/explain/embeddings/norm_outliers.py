"""Lengths of tokens, and those that stand out.

Darcet et al. 2024, "Vision Transformers Need Registers", https://arxiv.org/abs/2309.16588: large
models turn a few patches of dull background into tokens of very large norm, which hold something
about the whole picture and nothing about their place.
"""

from typing import Final

import numpy as np
from jaxtyping import Bool, Float32

DEVIATIONS: Final = 6.0  # median absolute deviations above the median


def token_norms(states: Float32[np.ndarray, "token d_model"]) -> Float32[np.ndarray, " token"]:
    """The Euclidean length of every token."""
    return np.sqrt(np.einsum("td,td->t", states, states, dtype=np.float64)).astype(np.float32)


def outlier_threshold(
    norms: Float32[np.ndarray, " token"], deviations: float = DEVIATIONS
) -> float:
    """Median + `deviations` × the median absolute deviation.

    The paper cuts at a fixed norm, read off one model's histogram; this rule fits any model.
    """
    return float(np.median(norms)) + deviations * _median_deviation(norms)


def deviations_from_median(
    norms: Float32[np.ndarray, "*token"],
) -> Float32[np.ndarray, "*token"]:
    """How many median absolute deviations each token lies above the median."""
    spread = _median_deviation(norms.ravel()) or 1.0
    return ((norms - np.median(norms)) / spread).astype(np.float32)


def norm_outliers(
    norms: Float32[np.ndarray, " token"], deviations: float = DEVIATIONS
) -> Bool[np.ndarray, " token"]:
    """Which tokens are longer than the threshold."""
    return norms > outlier_threshold(norms, deviations)


def _median_deviation(norms: Float32[np.ndarray, " token"]) -> float:
    return float(np.median(np.abs(norms - np.median(norms))))
