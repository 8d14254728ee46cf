"""One head's matrix on its way from products to weights: compare, scale, mask, softmax.

Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, equation 1: softmax(Q K^T / √d_k + M).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.trace import MASKED, AttentionLayer, read_only, softmax


@dataclass(frozen=True, slots=True, eq=False)
class ScoreSteps:
    """The matrix after each step."""

    products: Float32[np.ndarray, "query key"]  # Q K^T
    scaled: Float32[np.ndarray, "query key"]  # × scale
    bias: Float32[np.ndarray, "query key"]  # mask or relative positions; −inf: forbidden
    biased: Float32[np.ndarray, "query key"]  # scaled + bias
    weights: Float32[np.ndarray, "query key"]
    scale: float


def score_steps(layer: AttentionLayer, head: int) -> ScoreSteps:
    """Every step of one head. Raises InputError for a layer whose q and k were not caught."""
    if layer.queries is None or layer.keys is None:
        raise InputError(
            "This model writes out its own softmax and hides queries and keys, so its scores are "
            "not known. Its maps are exact all the same: see “One sentence”."
        )
    return steps_of(layer.queries[head], layer.keys[head], layer, head)


def steps_of(
    queries: Float32[np.ndarray, "query d_head"],
    keys: Float32[np.ndarray, "key d_head"],
    layer: AttentionLayer,
    head: int,
) -> ScoreSteps:
    """The same of one's own queries and keys, with the layer's scale and bias."""
    products = queries @ keys.T
    scaled = products * np.float32(layer.scale)
    bias = _bias_of(layer, head, products.shape)
    biased = scaled + bias
    return ScoreSteps(
        products=read_only(products),
        scaled=read_only(scaled),
        bias=read_only(bias),
        biased=read_only(biased),
        weights=read_only(softmax(biased)),
        scale=layer.scale,
    )


def _bias_of(layer: AttentionLayer, head: int, shape: tuple[int, ...]) -> np.ndarray:
    """The head's bias, with every library's "very negative" written as −inf."""
    if layer.bias is None:
        return np.zeros(shape, dtype=np.float32)
    whole = np.broadcast_to(layer.bias, (layer.n_heads, *shape))[head]
    return np.where(whole > MASKED, whole, np.float32(-np.inf)).astype(np.float32)
