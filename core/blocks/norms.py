"""Normalisations of one vector: LayerNorm, RMSNorm, and DeepNorm's scaled residual.

* LayerNorm: Ba, Kiros & Hinton 2016, equation 4, https://arxiv.org/abs/1607.06450. It divides by
  the standard deviation σ = √variance, not by √σ.
* RMSNorm: Zhang & Sennrich 2019, equation 4, https://arxiv.org/abs/1910.07467.
* DeepNorm: Wang et al. 2022, section 4, https://arxiv.org/abs/2203.00555.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

Vectors = Float32[np.ndarray, "*axes d_model"]
EPSILON = 1e-5  # torch's: keeps a constant vector from a division by zero


@dataclass(frozen=True, slots=True)
class DeepNorm:
    """DeepNorm's constants: α scales the residual, β the sublayer's initial weights."""

    alpha: float
    beta: float


def layer_norm(x: Vectors, *, epsilon: float = EPSILON) -> Vectors:
    """(x − mean) / √(variance + ε) over the last axis; gain 1, bias 0."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(x.var(axis=-1, keepdims=True) + np.float32(epsilon))


def rms_norm(x: Vectors, *, epsilon: float = EPSILON) -> Vectors:
    """x / √(mean of x² + ε) over the last axis; gain 1. The mean stays."""
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + np.float32(epsilon))


def divided_by_root_sigma(x: Vectors) -> Vectors:
    """(x − mean) / √σ: a slip of slides that take σ for the variance. No norm, only a likeness."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(x.std(axis=-1, keepdims=True))


@dataclass(frozen=True, slots=True)
class VectorSize:
    """One vector's numbers."""

    mean: float
    deviation: float  # σ
    rms: float
    largest: float  # the component of the greatest absolute value
    place: int  # its dimension, from 0


def vector_size(x: Float32[np.ndarray, " d_model"]) -> VectorSize:
    """Mean, σ, RMS and the component that stands out most."""
    place = int(np.abs(x).argmax())
    rms = float(np.sqrt((x**2).mean()))
    return VectorSize(float(x.mean()), float(x.std()), rms, float(x[place]), place)


def deep_norm_constants(layers: int) -> DeepNorm:
    """Of an encoder, or a decoder alone, with `layers` layers: α = (2N)^¼, β = (8N)^−¼."""
    return DeepNorm((2 * layers) ** 0.25, (8 * layers) ** -0.25)


def deep_norm(x: Vectors, sublayer: Vectors, *, alpha: float) -> Vectors:
    """LayerNorm(α x + sublayer): with α = 1, the post-norm of the first Transformer."""
    return layer_norm(np.float32(alpha) * x + sublayer)
