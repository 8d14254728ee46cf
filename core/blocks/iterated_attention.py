"""Self-attention on its own output, over and over: V ← softmax(V Vᵀ / λ) V.

Without residual, values or feed-forward, every step replaces each point by a weighted mean of
all. Dong et al. 2021, https://arxiv.org/abs/2103.03404: pure attention loses rank doubly
exponentially. Geshkovski et al. 2023, https://arxiv.org/abs/2305.05465: clusters on the way.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from jaxtyping import Float32, Float64

from core.trace import read_only

ARRANGEMENTS: Final = ("scattered", "ring", "two groups", "line")
STEPS: Final = 60
SAME: Final = 1e-3  # points nearer than this, relative to the first diameter, count as one


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Every step's points and how far they are from their limit."""

    points: Float32[np.ndarray, "step point 2"]
    diameters: Float64[np.ndarray, " step"]  # largest distance of two points
    moves: Float64[np.ndarray, " step"]  # largest move of a point in this step; the first is 0
    clusters: tuple[int, ...]  # groups of points that have met

    @property
    def nbytes(self) -> int:
        return self.points.nbytes


def start(arrangement: str, *, n_points: int, seed: int) -> Float64[np.ndarray, "point 2"]:
    """Points within [−2, 2]², by the arrangement's name."""
    random = np.random.default_rng(seed)
    if arrangement == "ring":
        angles = 2 * np.pi * (np.arange(n_points) / n_points + random.random())
        return 1.6 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    if arrangement == "two groups":
        middles = np.where(np.arange(n_points)[:, None] % 2, [1.2, 0.6], [-0.9, -1.0])
        return np.clip(middles + 0.35 * random.normal(size=(n_points, 2)), -2, 2)
    if arrangement == "line":
        places = np.linspace(-1.8, 1.8, n_points)
        return np.stack([places, 0.4 * places], axis=1)
    return random.uniform(-1.8, 1.8, (n_points, 2))


def iterate(points: Float64[np.ndarray, "point 2"], *, temperature: float, steps: int) -> Run:
    """Repeat the step and measure; `temperature` is λ."""
    path = [points]
    for _ in range(steps):
        path.append(attend(path[-1], temperature))
    diameters = np.array([_distances(now).max() for now in path])
    moves = [0.0] + [
        float(np.linalg.norm(now - before, axis=1).max()) for before, now in pairwise(path)
    ]
    return Run(
        points=read_only(np.array(path, dtype=np.float32)),
        diameters=read_only(diameters),
        moves=read_only(np.array(moves)),
        clusters=tuple(_clusters(now, SAME * diameters[0]) for now in path),
    )


def attend(
    points: Float64[np.ndarray, "point 2"], temperature: float
) -> Float64[np.ndarray, "point 2"]:
    """One step, softmax(V Vᵀ / λ) V: queries, keys and values are the points themselves."""
    scores = points @ points.T / temperature
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True)) @ points


def _distances(points: Float64[np.ndarray, "point 2"]) -> Float64[np.ndarray, "point point"]:
    return np.linalg.norm(points[:, None] - points[None], axis=-1)


def _clusters(points: Float64[np.ndarray, "point 2"], distance: float) -> int:
    """Connected groups of points not farther apart than `distance`."""
    near = _distances(points) <= distance
    reached = np.zeros(len(points), dtype=bool)
    groups = 0
    for point in range(len(points)):
        if reached[point]:
            continue
        groups += 1
        group = near[point]
        while (wider := near[group].any(axis=0)).sum() > group.sum():
            group = wider
        reached |= group
    return groups
