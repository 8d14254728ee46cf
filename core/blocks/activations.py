"""Activation functions of feed-forward blocks, with their derivatives, from their papers.

* ReLU: max(0, x); Vaswani et al. 2017, equation 2.
* GELU: x Φ(x), Φ the standard normal distribution function; Hendrycks & Gimpel 2016, section 2,
  https://arxiv.org/abs/1606.08415, with two cheaper forms: tanh (GPT-2, BERT's first code) and
  sigmoid, x σ(1.702 x).
* ELU: Clevert et al. 2016, https://arxiv.org/abs/1511.07289.
* Swish: x σ(βx), Ramachandran et al. 2017, https://arxiv.org/abs/1710.05941; SiLU where β = 1.

All in double precision, elementwise.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float64

Points = Float64[np.ndarray, "*axes"]
ROOT: Final = math.sqrt(2 / math.pi)
CUBIC: Final = 0.044715
SIGMOID_GELU: Final = 1.702


@dataclass(frozen=True, slots=True)
class Activation:
    """A function, its derivative, and how it is written."""

    title: str
    formula: str  # LaTeX
    value: Callable[[Points], Points]
    slope: Callable[[Points], Points]


def sigmoid(x: Points) -> Points:
    """σ(x) = 1 / (1 + e^−x), without overflow."""
    from scipy.special import expit  # pyright: ignore[reportUnknownVariableType]

    return expit(x)


def normal_cdf(x: Points) -> Points:
    """Φ(x): the probability that a standard normal variable is at most x."""
    from scipy.special import ndtr  # pyright: ignore[reportUnknownVariableType]

    return ndtr(x)


def normal_density(x: Points) -> Points:
    """φ(x) = Φ′(x)."""
    return np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)


def relu(x: Points) -> Points:
    return np.maximum(x, 0)


def relu_slope(x: Points) -> Points:
    """0 at x = 0, as libraries have it; the derivative there is not defined."""
    return (x > 0).astype(np.float64)


def gelu(x: Points) -> Points:
    return x * normal_cdf(x)


def gelu_slope(x: Points) -> Points:
    """Φ(x) + x φ(x)."""
    return normal_cdf(x) + x * normal_density(x)


def gelu_tanh(x: Points) -> Points:
    """½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))."""
    return 0.5 * x * (1 + np.tanh(ROOT * (x + CUBIC * x**3)))


def gelu_tanh_slope(x: Points) -> Points:
    bent = np.tanh(ROOT * (x + CUBIC * x**3))
    return 0.5 * (1 + bent) + 0.5 * x * (1 - bent**2) * ROOT * (1 + 3 * CUBIC * x**2)


def gelu_sigmoid(x: Points) -> Points:
    """x σ(1.702 x): Swish with β = 1.702."""
    return swish(x, SIGMOID_GELU)


def gelu_sigmoid_slope(x: Points) -> Points:
    return swish_slope(x, SIGMOID_GELU)


def gelu_errors(x: Points) -> dict[str, Points]:
    """How far each cheaper form lies above the exact GELU."""
    exact = gelu(x)
    return {"tanh form": gelu_tanh(x) - exact, "sigmoid form": gelu_sigmoid(x) - exact}


def elu(x: Points, alpha: float = 1.0) -> Points:
    """x, and below zero α (e^x − 1)."""
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def elu_slope(x: Points, alpha: float = 1.0) -> Points:
    return np.where(x > 0, 1.0, alpha * np.exp(np.minimum(x, 0)))


def swish(x: Points, beta: float = 1.0) -> Points:
    return x * sigmoid(beta * x)


def swish_slope(x: Points, beta: float = 1.0) -> Points:
    """σ(βx) + βx σ(βx) (1 − σ(βx))."""
    gate = sigmoid(beta * x)
    return gate + beta * x * gate * (1 - gate)


def activations(*, alpha: float = 1.0, beta: float = 1.0) -> dict[str, Activation]:
    """Every function by its short name; α is ELU's, β is Swish's."""
    return {
        "relu": Activation("ReLU", r"\max(0,x)", relu, relu_slope),
        "gelu": Activation("GELU", r"x\,\Phi(x)", gelu, gelu_slope),
        "gelu-tanh": Activation(
            "GELU, tanh form",
            r"\tfrac12x\big(1+\tanh(\sqrt{2/\pi}\,(x+0.044715x^3))\big)",
            gelu_tanh,
            gelu_tanh_slope,
        ),
        "gelu-sigmoid": Activation(
            "GELU, sigmoid form", r"x\,\sigma(1.702x)", gelu_sigmoid, gelu_sigmoid_slope
        ),
        "elu": Activation(
            f"ELU, α = {alpha:g}",
            r"x\ (x>0),\ \alpha(e^x-1)\ (x\le0)",
            lambda x: elu(x, alpha),
            lambda x: elu_slope(x, alpha),
        ),
        "swish": Activation(
            f"Swish, β = {beta:g}",
            r"x\,\sigma(\beta x)",
            lambda x: swish(x, beta),
            lambda x: swish_slope(x, beta),
        ),
    }
