"""Adam, step by step, on a small problem whose minimum is known.

Kingma & Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1,
https://arxiv.org/abs/1412.6980. Weight decay is decoupled: Loshchilov & Hutter, "Decoupled
Weight Decay Regularization", 2019, https://arxiv.org/abs/1711.05101.

The problem: f(w) = ½ Σ λ w², minimum 0 at w = 0, from gradients with seeded noise, one of
which (an unlucky batch) is `spike` times larger.
"""

from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np
from jaxtyping import Float64

CURVATURES: Final = (1.0, 10.0)  # λ: a flat direction and a steep one
START: Final = (1.0, 1.0)
NOISE: Final = 0.1  # standard deviation of the gradients' noise
SPIKE_AT: Final = 0.4  # of the run


@dataclass(frozen=True)
class Settings:
    """Adam's own constants; `correct` says whether m and v are divided by 1 − βᵗ."""

    learning_rate: float = 0.01
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    decay: float = 0.0
    correct: bool = True

    def __post_init__(self) -> None:
        for name, beta in (("β₁", self.beta1), ("β₂", self.beta2)):
            if not 0 <= beta < 1:
                raise ValueError(f"{name} is 0 or more and below 1, not {beta}")


@dataclass(frozen=True, slots=True, eq=False)
class AdamRun:
    """What every step saw and did; rows are steps, from 1."""

    weights: Float64[np.ndarray, "step weight"]  # after the step
    gradients: Float64[np.ndarray, "step weight"]
    mean: Float64[np.ndarray, "step weight"]  # m, or m / (1 − β₁ᵗ) if corrected
    square: Float64[np.ndarray, "step weight"]  # v, or v / (1 − β₂ᵗ) if corrected
    steps: Float64[np.ndarray, "step weight"]  # the change that m and v made, without decay

    @property
    def gradient_sizes(self) -> Float64[np.ndarray, "step weight"]:
        """|g|."""
        return np.abs(self.gradients)

    @property
    def remembered_sizes(self) -> Float64[np.ndarray, "step weight"]:
        """√v: how large Adam takes the gradients to be."""
        return np.sqrt(self.square)

    def effective_steps(self, learning_rate: float) -> Float64[np.ndarray, "step weight"]:
        """The lengths of the steps, in learning rates."""
        return np.abs(self.steps) / learning_rate

    @property
    def losses(self) -> Float64[np.ndarray, " step"]:
        """f(w) after each step, without noise."""
        return 0.5 * (self.weights**2 @ np.array(CURVATURES))


def memory(beta: float) -> float:
    """Steps that an average with `beta` looks back on: 1 / (1 − β). 0.98 -> 50, 0.999 -> 1000."""
    return 1 / (1 - beta)


def half_life(beta: float) -> float:
    """Steps after which a gradient counts half: ln ½ / ln β. 0.98 -> 34.3, 0.999 -> 693."""
    return log(0.5) / log(beta) if beta else 0.0


def first_step(settings: Settings) -> float:
    """The length of the very first step, in learning rates, for a gradient far above ε.

    1 with the correction; (1 − β₁) / √(1 − β₂) without: 0.707 at β₂ = 0.98, 3.16 at 0.999.
    """
    return 1.0 if settings.correct else (1 - settings.beta1) / (1 - settings.beta2) ** 0.5


def noise(n_steps: int, *, spike: float, seed: int) -> Float64[np.ndarray, "step weight"]:
    """The gradients' noise; at SPIKE_AT of the run, `spike` more."""
    drawn = np.random.default_rng(seed).normal(0, NOISE, (n_steps, len(START)))
    drawn[int(SPIKE_AT * n_steps)] += spike
    return drawn


def run(settings: Settings, disturbance: Float64[np.ndarray, "step weight"]) -> AdamRun:
    """As many steps as `disturbance` has rows: gradient λ w + disturbance.

    The weights do not meet in this problem, so each goes its way as plain numbers: arrays of
    two would take ten times as long.
    """
    ways = [
        _one_weight(settings, curvature, start, pushes)
        for curvature, start, pushes in zip(CURVATURES, START, disturbance.T.tolist(), strict=True)
    ]
    return AdamRun(*np.array(ways).transpose(2, 1, 0).copy())  # (quantity, step, weight)


def _one_weight(
    settings: Settings, curvature: float, weight: float, pushes: list[float]
) -> list[tuple[float, float, float, float, float]]:
    """AdamRun's five quantities after every step."""
    mean = square = 0.0
    beta1, beta2 = settings.beta1, settings.beta2
    shrink = 1 - settings.learning_rate * settings.decay
    found: list[tuple[float, float, float, float, float]] = []
    for number, push in enumerate(pushes, start=1):
        gradient = curvature * weight + push
        mean = beta1 * mean + (1 - beta1) * gradient
        square = beta2 * square + (1 - beta2) * gradient**2
        first, second = mean, square
        if settings.correct:
            first, second = mean / (1 - beta1**number), square / (1 - beta2**number)
        step = -settings.learning_rate * first / (sqrt(second) + settings.epsilon)
        weight = weight * shrink + step
        found.append((weight, gradient, first, second, step))
    return found
