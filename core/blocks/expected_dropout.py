"""GELU as expected dropout: keep x with probability Φ(x), else put 0; on average x Φ(x).

Hendrycks & Gimpel 2016, section 2, https://arxiv.org/abs/1606.08415: m ~ Bernoulli(Φ(x)) and
E[m x] = x Φ(x). Large inputs are *kept*; some slides say "dropped", which would be x (1 − Φ(x)).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from core.blocks.activations import gelu, normal_cdf
from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """Averages of n coin tosses an input."""

    x: Float64[np.ndarray, " point"]
    kept: Float64[np.ndarray, " point"]  # share of tosses that kept the input
    mean: Float64[np.ndarray, " point"]  # of m x
    error: Float64[np.ndarray, " point"]  # standard error of the mean, |x| √(Φ (1 − Φ) / n)

    @property
    def distance(self) -> Float64[np.ndarray, " point"]:
        """How far each mean lies from GELU, which it tends to."""
        return np.abs(self.mean - gelu(self.x))

    def share_within(self, errors: float) -> float:
        """The share of points at most so many standard errors from GELU; 0 has no chance in it."""
        random = self.error > 0
        return float((self.distance <= errors * self.error)[random].mean())


def dropped_with_cdf(x: Float64[np.ndarray, " point"]) -> Float64[np.ndarray, " point"]:
    """x (1 − Φ(x)): what some slides say, where Φ is the probability of *dropping*."""
    return x * (1 - normal_cdf(x))


def simulate(x: Float64[np.ndarray, " point"], *, tosses: int, seed: int) -> Simulation:
    """Toss `tosses` coins for every input, each heads with probability Φ(x)."""
    probability = normal_cdf(x)
    kept = np.random.default_rng(seed).binomial(tosses, probability) / tosses
    error = np.abs(x) * np.sqrt(probability * (1 - probability) / tosses)
    return Simulation(read_only(x), read_only(kept), read_only(x * kept), read_only(error))
