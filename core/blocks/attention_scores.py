"""Two ways to score a key: additive (a small network) and the dot product.

Bahdanau, Cho & Bengio 2015, section 3.1 and appendix A.1.2, https://arxiv.org/abs/1409.0473:
vᵀ tanh(W q + U k). Vaswani et al. 2017, section 3.2.1: q · k / √d_k, cheaper, and no worse once
it is scaled (Britz et al. 2017, https://arxiv.org/abs/1703.03906).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32, Float64

from core.trace import read_only, softmax

QUERIES: Final = 200  # random queries that a largest weight is averaged over


@dataclass(frozen=True, slots=True, eq=False)
class AdditiveScore:
    """The parameters of vᵀ tanh(q W + k U), for row vectors."""

    query: Float32[np.ndarray, "d_k hidden"]
    key: Float32[np.ndarray, "d_k hidden"]
    direction: Float32[np.ndarray, " hidden"]

    @property
    def bound(self) -> float:
        """No score leaves ±‖v‖₁, since |tanh| < 1."""
        return float(np.abs(self.direction).sum())

    def steepest(self, query: Float32[np.ndarray, " d_k"]) -> Float32[np.ndarray, " d_k"]:
        """The direction in which a key at 0 gains score fastest: U (v ⊙ (1 − tanh² q W))."""
        gradient = self.key @ (self.direction * (1 - np.tanh(query @ self.query) ** 2))
        return gradient / np.linalg.norm(gradient)

    def scores(
        self,
        queries: Float32[np.ndarray, "query d_k"],
        keys: Float32[np.ndarray, "key d_k"],
    ) -> Float32[np.ndarray, "query key"]:
        """Every query against every key: query × key × hidden hyperbolic tangents."""
        mixed = (queries @ self.query)[:, None] + (keys @ self.key)[None]  # (query, key, hidden)
        return np.tanh(mixed) @ self.direction


@dataclass(frozen=True, slots=True, eq=False)
class GrowingKey:
    """Three scores of a query of ones with a key that grows along each score's best direction."""

    lengths: Float64[np.ndarray, " length"]
    dots: Float64[np.ndarray, " length"]  # q · k
    scaled: Float64[np.ndarray, " length"]  # q · k / √d_k
    additive: Float64[np.ndarray, " length"]


def growing_key(score: AdditiveScore, lengths: Float64[np.ndarray, " length"]) -> GrowingKey:
    """Negative lengths point the other way."""
    root = np.sqrt(score.query.shape[0])
    query = np.ones((1, score.query.shape[0]), dtype=np.float32)
    along = lengths[:, None].astype(np.float32)
    dots = (query @ (along * query / root).T)[0].astype(np.float64)
    additive = score.scores(query, along * score.steepest(query[0]))[0].astype(np.float64)
    return GrowingKey(lengths, dots, dots / root, additive)


def scaled_dots(
    queries: Float32[np.ndarray, "query d_k"], keys: Float32[np.ndarray, "key d_k"]
) -> Float32[np.ndarray, "query key"]:
    """q · k / √d_k of every pair."""
    return queries @ keys.T / np.float32(np.sqrt(queries.shape[1]))


def random_additive_score(d_k: int, *, hidden: int, seed: int) -> AdditiveScore:
    """Untrained parameters, Glorot's variance: 2 / (inputs + outputs) for W, U and v."""
    random = np.random.default_rng(seed)

    def draw(inputs: int, outputs: int) -> np.ndarray:
        deviation = np.sqrt(2 / (inputs + outputs))
        return random.normal(0, deviation, (inputs, outputs)).astype(np.float32)

    return AdditiveScore(
        query=read_only(draw(d_k, hidden)),
        key=read_only(draw(d_k, hidden)),
        direction=read_only(draw(hidden, 1)[:, 0]),
    )


def largest_weights(d_k: int, *, n_keys: int, hidden: int, seed: int) -> tuple[float, float, float]:
    """Mean largest weight of random queries over random keys: q · k, q · k / √d_k, additive."""
    random = np.random.default_rng(seed)
    queries = random.standard_normal((QUERIES, d_k), dtype=np.float32)
    keys = random.standard_normal((n_keys, d_k), dtype=np.float32)
    dots = queries @ keys.T
    additive = random_additive_score(d_k, hidden=hidden, seed=seed).scores(queries, keys)
    dot, scaled, learned = (
        float(softmax(scores).max(axis=-1).mean())
        for scores in (dots, scaled_dots(queries, keys), additive)
    )
    return dot, scaled, learned


def multiplications(n_queries: int, n_keys: int, d_k: int, *, hidden: int) -> tuple[int, int]:
    """Multiplications of all scores: dot product, additive (projections included)."""
    dot = n_queries * n_keys * d_k
    additive = (n_queries + n_keys) * d_k * hidden + n_queries * n_keys * hidden
    return dot, additive
