"""Adam, step by step, on a small problem whose minimum is known.

Kingma & Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1,
https://arxiv.org/abs/1412.6980. Weight decay is decoupled: Loshchilov & Hutter, "Decoupled
Weight Decay Regularization", 2019, https://arxiv.org/abs/1711.05101.

The problem: f(w) = ½ Σ λ w², minimum 0 at w = 0, from gradients with seeded noise, one of
which (an unlucky batch) is `spike` times larger.
"""

from dataclasses import dataclass
from math import log
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
    """As many steps as `disturbance` has rows: gradient λ w + disturbance."""
    shape = disturbance.shape
    found = AdamRun(*(np.empty(shape) for _ in range(5)))
    weights, mean, square = np.array(START), np.zeros(shape[1]), np.zeros(shape[1])
    for row in range(shape[0]):
        gradient = np.array(CURVATURES) * weights + disturbance[row]
        mean = settings.beta1 * mean + (1 - settings.beta1) * gradient
        square = settings.beta2 * square + (1 - settings.beta2) * gradient**2
        first, second = mean, square
        if settings.correct:
            first = mean / (1 - settings.beta1 ** (row + 1))
            second = square / (1 - settings.beta2 ** (row + 1))
        step = -settings.learning_rate * first / (np.sqrt(second) + settings.epsilon)
        weights = weights * (1 - settings.learning_rate * settings.decay) + step
        found.weights[row], found.gradients[row] = weights, gradient
        found.mean[row], found.square[row], found.steps[row] = first, second, step
    return found
