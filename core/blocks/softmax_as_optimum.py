"""Softmax as the answer to a question: which weights win most score and stay most open?

    argmax over probabilities p of ⟨p, s⟩ + λ H(p)  =  softmax(s / λ)

The largest value is λ log Σ exp(s / λ), and any other p falls short of it by exactly
λ KL(p ‖ softmax(s / λ)). Boyd & Vandenberghe, Convex Optimization, 2004, section 3.3.1 (log-sum-exp
and entropy are conjugate). Nothing below uses softmax to find the maximum: `ascend` climbs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float64

from core.trace import read_only

STEPS: Final = 100
MOST_HALVINGS: Final = 50


@dataclass(frozen=True, slots=True, eq=False)
class Ascent:
    """The path of a numeric optimiser that knows no exponential function."""

    path: Float64[np.ndarray, "step score"]
    values: Float64[np.ndarray, " step"]


def objective(
    p: Float64[np.ndarray, "candidate score"],
    scores: Float64[np.ndarray, " score"],
    strength: float,
) -> Float64[np.ndarray, " candidate"]:
    """⟨p, s⟩ + λ H(p), with 0 log 0 = 0; `strength` is λ."""
    entropy = -(p * np.log(np.where(p > 0, p, 1))).sum(axis=-1)
    return p @ scores + strength * entropy


def optimum(
    scores: Float64[np.ndarray, " score"], strength: float
) -> tuple[Float64[np.ndarray, " score"], float]:
    """softmax(s / λ), and the value λ log Σ exp(s / λ) that it reaches."""
    shifted = (scores - scores.max()) / strength
    exponentials = np.exp(shifted)
    total = exponentials.sum()
    return exponentials / total, float(scores.max() + strength * np.log(total))


def random_distributions(size: int, *, count: int, seed: int) -> Float64[np.ndarray, "count size"]:
    """Uniform over all probability vectors (Dirichlet with ones)."""
    return np.random.default_rng(seed).dirichlet(np.ones(size), count)


def perturbed(
    p: Float64[np.ndarray, " score"], *, size: float, count: int, seed: int
) -> Float64[np.ndarray, "count score"]:
    """Neighbours of p at distance `size`, or nearer where the simplex ends; they sum to one."""
    directions = np.random.default_rng(seed).normal(size=(count, len(p)))
    directions -= directions.mean(axis=1, keepdims=True)
    directions *= size / np.linalg.norm(directions, axis=1, keepdims=True)
    room = np.where(directions < 0, -p / np.where(directions < 0, directions, 1), np.inf)
    return p + directions * np.minimum(1, room.min(axis=1, keepdims=True))


def ascend(scores: Float64[np.ndarray, " score"], strength: float) -> Ascent:
    """Newton's method from the middle, kept on the simplex (Boyd & Vandenberghe, section 10.2).

    The Hessian is −λ diag(1 / p), so a step that keeps the sum is p (g − ⟨p, g⟩) / λ, and is
    halved until it stays inside and climbs.
    """
    p = np.full(len(scores), 1 / len(scores))
    path, values = [p], [_value(p, scores, strength)]
    for _ in range(STEPS):
        gradient = scores - strength * (np.log(p) + 1)
        step = p * (gradient - p @ gradient) / strength
        candidate, value = _climbed(p, step, lambda tried: _value(tried, scores, strength))
        if value <= values[-1]:
            break  # the top, to rounding
        p = candidate
        path.append(p)
        values.append(value)
    return Ascent(read_only(np.array(path)), read_only(np.array(values)))


def _climbed(
    p: Float64[np.ndarray, " score"],
    step: Float64[np.ndarray, " score"],
    value_of: Callable[[np.ndarray], float],
) -> tuple[Float64[np.ndarray, " score"], float]:
    start = value_of(p)
    for halvings in range(MOST_HALVINGS):
        candidate = p + step / 2**halvings
        if candidate.min() > 0 and (value := value_of(candidate)) > start:
            return candidate / candidate.sum(), value
    return p, start


def _value(
    p: Float64[np.ndarray, " score"], scores: Float64[np.ndarray, " score"], strength: float
) -> float:
    return float(objective(p[None], scores, strength)[0])
