"""Softmax as the answer to a question: which weights win most score and stay most open?

    argmax over probabilities p of ⟨p, s⟩ + λ H(p)  =  softmax(s / λ)

The largest value is λ log Σ exp(s / λ), and any other p falls short of it by exactly
λ KL(p ‖ softmax(s / λ)). Boyd & Vandenberghe, Convex Optimization, 2004, section 3.3.1 (log-sum-exp
and entropy are conjugate). Nothing below uses softmax to find the maximum: `ascend` climbs.
"""

# scipy.special comes without types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float64

from core.trace import read_only

STEPS: Final = 100
MOST_HALVINGS: Final = 50
CORNERS: Final = read_only(np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]]))  # p1, p2, p3 = 1


@dataclass(frozen=True, slots=True, eq=False)
class Ascent:
    """The path of a numeric optimiser that knows no exponential function."""

    path: Float64[np.ndarray, "step score"]
    values: Float64[np.ndarray, " step"]


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """The objective in the plane; NaN outside the triangle."""

    x: Float64[np.ndarray, " column"]
    y: Float64[np.ndarray, " row"]
    values: Float64[np.ndarray, "row column"]


def objective(
    p: Float64[np.ndarray, "candidate score"],
    scores: Float64[np.ndarray, " score"],
    strength: float,
) -> Float64[np.ndarray, " candidate"]:
    """⟨p, s⟩ + λ H(p), with 0 log 0 = 0; `strength` is λ."""
    from scipy.special import entr  # pyright: ignore[reportUnknownVariableType]

    return p @ scores + strength * entr(p).sum(axis=-1)


def optimum(
    scores: Float64[np.ndarray, " score"], strength: float
) -> tuple[Float64[np.ndarray, " score"], float]:
    """softmax(s / λ), and the value λ log Σ exp(s / λ) that it reaches."""
    from scipy.special import logsumexp, softmax  # pyright: ignore[reportUnknownVariableType]

    return softmax(scores / strength), float(strength * logsumexp(scores / strength))


def optima(
    scores: Float64[np.ndarray, " score"], strengths: Float64[np.ndarray, " strength"]
) -> Float64[np.ndarray, "strength score"]:
    """softmax(s / λ) of every λ."""
    from scipy.special import softmax  # pyright: ignore[reportUnknownVariableType]

    return softmax(scores / strengths[:, None], axis=1)


def divergence(p: Float64[np.ndarray, " score"], best: Float64[np.ndarray, " score"]) -> float:
    """KL(p ‖ best) in nats, with 0 log 0 = 0; rounding may leave −1e-17."""
    from scipy.special import rel_entr  # pyright: ignore[reportUnknownVariableType]

    return max(0.0, float(rel_entr(p, best).sum()))


def best_of(
    tried: Float64[np.ndarray, "candidate score"],
    scores: Float64[np.ndarray, " score"],
    strength: float,
) -> tuple[Float64[np.ndarray, " score"], float]:
    """The candidate of the greatest value, and that value."""
    values = objective(tried, scores, strength)
    return tried[values.argmax()], float(values.max())


def landscape(scores: Float64[np.ndarray, "3"], strength: float, *, side: int) -> Landscape:
    """The objective of three weights over the triangle of all of them."""
    x, y = np.linspace(0, 1, side), np.linspace(0, CORNERS[2, 1], side)
    third = np.broadcast_to((y / CORNERS[2, 1])[:, None], (side, side))
    second = x[None] - third / 2
    points = np.stack([1 - second - third, second, third], axis=-1)
    values = objective(np.maximum(points, 0).reshape(-1, 3), scores, strength)
    inside = points.min(axis=-1) >= -1e-9
    return Landscape(x, y, np.where(inside, values.reshape(side, side), np.nan))


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
