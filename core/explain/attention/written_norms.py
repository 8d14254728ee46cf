"""How much each token would write: ‖f(x_j)‖, a head's value of a token behind its W^O.

Kobayashi et al. 2020, "Attention is Not Only a Weight", https://arxiv.org/abs/2004.10102, equation
3: a head adds Σ_j α_ij f(x_j) to query i, so α_ij ‖f(x_j)‖ says how much of key j is written.
"""

import numpy as np
from jaxtyping import Float, Float32, Float64

from core.trace import AttentionLayer, read_only


def written_norms(
    layer: AttentionLayer, outputs: Float32[np.ndarray, "head d_value d_model"]
) -> Float32[np.ndarray, "head key"]:
    """‖f(x_j)‖ of every head and key. Raises ValueError for a layer whose values were not caught.

    outputs: W^O of each head; its bias belongs to no head.
    """
    # ‖v W‖² = v (W Wᵀ) vᵀ: d_value × d_value numbers a head instead of d_model a token.
    inner = np.einsum("hdm,hem->hde", outputs, outputs, dtype=np.float64)
    values = _values(layer)
    squares = np.einsum("hkd,hde,hke->hk", values, inner, values, optimize=True)
    return read_only(np.sqrt(np.maximum(squares, 0)).astype(np.float32))


def written_map(
    layer: AttentionLayer, outputs: Float32[np.ndarray, "head d_value d_model"]
) -> Float32[np.ndarray, "query key"]:
    """‖Σ_h α_ij^h f^h(x_j)‖: how much all heads together write of key j at query i.

    Heads that write against each other take from each other. Raises ValueError for a layer whose
    values were not caught.
    """
    written = np.einsum("hkd,hdm->khm", _values(layer), outputs, dtype=np.float64)
    inner: Float64[np.ndarray, "key head head"] = written @ written.transpose(0, 2, 1)
    weights = layer.weights
    squares = np.einsum("hqk,khg,gqk->qk", weights, inner, weights, optimize=True)
    return read_only(np.sqrt(np.maximum(squares, 0)).astype(np.float32))


def row_shares(parts: Float[np.ndarray, "*other key"]) -> Float[np.ndarray, "*other key"]:
    """Rows that sum to one, of parts ≥ 0; a row of nothing stays nothing."""
    sums = parts.sum(axis=-1, keepdims=True)
    return np.divide(parts, sums, out=np.zeros_like(parts), where=sums > 0)


def _values(layer: AttentionLayer) -> Float32[np.ndarray, "head key d_value"]:
    if layer.values is None:
        raise ValueError(f"layer {layer.index} keeps no values")
    return layer.values
