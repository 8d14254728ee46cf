"""Why scores are divided by √d_k: the variance of a dot product, and what softmax makes of it.

Vaswani et al. 2017, section 3.2.1 and footnote 4: components of q and k with mean 0 and
variance 1 give q · k a variance of d_k. https://arxiv.org/abs/1706.03762
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float32

from core.trace import read_only, softmax


@dataclass(frozen=True, slots=True, eq=False)
class DotProducts:
    """Dot products of random queries with random keys, for growing widths."""

    widths: tuple[int, ...]  # d_k, growing
    dots: Float32[np.ndarray, "width query key"]

    @property
    def nbytes(self) -> int:
        return self.dots.nbytes

    def of_width(self, d_k: int) -> Float32[np.ndarray, "query key"]:
        return self.dots[self.widths.index(d_k)]

    def scaled(self, d_k: int) -> Float32[np.ndarray, "query key"]:
        """The same divided by √d_k."""
        return self.of_width(d_k) / np.float32(np.sqrt(d_k))

    def first_weights(self, d_k: int) -> Float32[np.ndarray, "way key"]:
        """The first query's weights, by bare and by scaled dot products."""
        return softmax(np.stack([self.of_width(d_k)[0], self.scaled(d_k)[0]]))


@dataclass(frozen=True, slots=True)
class Saturation:
    """What the softmax of scores does, averaged over queries."""

    variance: float  # of the scores
    largest_weight: float  # 1 / keys where it is uniform, 1 where one key takes all
    gradient_norm: float  # Frobenius norm of ∂ weights / ∂ scores


def random_dot_products(
    widths: tuple[int, ...], *, n_queries: int, n_keys: int, seed: int
) -> DotProducts:
    """Standard normal q and k; every query has keys of its own, so that queries are independent.

    The first d components serve as the vectors of width d: one draw for all widths.
    """
    random = np.random.default_rng(seed)
    total = np.zeros((n_queries, n_keys), dtype=np.float32)
    found: list[np.ndarray] = []
    for before, width in pairwise((0, *widths)):
        queries = random.standard_normal((width - before, n_queries, 1), dtype=np.float32)
        keys = random.standard_normal((width - before, n_queries, n_keys), dtype=np.float32)
        total = total + (queries * keys).sum(axis=0)
        found.append(total)
    return DotProducts(widths, read_only(np.stack(found)))


def saturation(scores: Float32[np.ndarray, "query key"]) -> Saturation:
    """Measure one set of rows."""
    weights = softmax(scores)
    return Saturation(
        variance=float(scores.var(dtype=np.float64)),
        largest_weight=float(weights.max(axis=-1).mean()),
        gradient_norm=float(jacobian_norm(weights).mean()),
    )


def jacobian_norm(weights: Float32[np.ndarray, "query key"]) -> Float32[np.ndarray, " query"]:
    """‖diag(p) − p pᵀ‖ (Frobenius): how far the weights move when the scores move a little.

    Its square is Σ p² − 2 Σ p³ + (Σ p²)²; zero where one weight is 1.
    """
    squares = (weights**2).sum(axis=-1)
    inner = squares - 2 * (weights**3).sum(axis=-1) + squares**2
    return np.sqrt(np.maximum(inner, 0))  # rounding may leave −1e-9
