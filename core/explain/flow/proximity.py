"""How much each token, and the residual, bring to what an attention sublayer makes of a token.

Ferrando et al. 2022, "Measuring the Mixing of Contextual Information in the Transformer",
https://arxiv.org/abs/2203.04212 (ALTI): a sublayer's output is a sum of one vector a token,
y_i = Σ_j T_i(x_j) + what the biases add, and a vector counts by how much nearer to y_i it brings
one than nothing does:

    c_ij = max(0, ‖y_i‖₁ − ‖y_i − T_i(x_j)‖₁), divided by the sum of all of them

In post-LN models a norm stands behind attention; with its spread held as it was it is linear, and
T_i passes through it. The residual is a vector of its own, as in Ferrando & Voita 2024,
https://arxiv.org/abs/2403.00824, so that what is kept and what a token reads of itself stay apart.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Float32, Float64

from core.explain.attribution.frozen_path import FrozenMap
from core.trace import AttentionLayer
from core.trace.residual_stream import Sublayer


def proximity(
    parts: Float[np.ndarray, "part d_model"], whole: Float[np.ndarray, " d_model"]
) -> Float64[np.ndarray, " part"]:
    """max(0, ‖whole‖₁ − ‖whole − part‖₁) of every part."""
    far = np.abs(whole - parts.astype(np.float64)).sum(axis=1)
    return np.maximum(np.abs(whole.astype(np.float64)).sum() - far, 0)


def proximity_shares(
    layer: AttentionLayer,
    outputs: Float32[np.ndarray, "head d_value d_model"],
    sublayer: Sublayer,
    norms: Sequence[FrozenMap | None],
) -> tuple[Float32[np.ndarray, "query key"], Float32[np.ndarray, " query"]]:
    """Each query's shares of the keys and of the residual; together they sum to one.

    outputs: W^O of each head. norms: at each query, what follows in post-LN, None in pre-LN. Where
    nothing brings one nearer, all is kept. Raises ValueError for a layer whose values were not
    caught.
    """
    if layer.values is None:
        raise ValueError(f"layer {layer.index} keeps no values")
    written = np.einsum("hkd,hdm->hkm", layer.values, outputs, dtype=np.float64)
    weights = layer.weights
    attended = np.zeros(weights.shape[1:], dtype=np.float32)
    kept = np.ones(len(attended), dtype=np.float32)
    for query, norm in enumerate(norms):
        terms = np.einsum("hk,hkm->km", weights[:, query], written)
        parts = np.concatenate([sublayer.received[query : query + 1], terms])
        near = proximity(parts if norm is None else norm.linear(parts), sublayer.passed_on[query])
        if near.sum() > 0:
            kept[query], *attended[query] = near / near.sum()
    return attended, kept


def attention_residue(
    layer: AttentionLayer,
    outputs: Float32[np.ndarray, "head d_value d_model"],
    bias: Float32[np.ndarray, " d_model"],
    sublayer: Sublayer,
) -> float:
    """The largest difference between what attention wrote and the sum of its terms, relative."""
    if layer.values is None:
        raise ValueError(f"layer {layer.index} keeps no values")
    made = np.einsum("hqk,hkd,hdm->qm", layer.weights, layer.values, outputs, optimize=True) + bias
    return float(np.abs(made - sublayer.output).max() / max(np.abs(sublayer.output).max(), 1e-9))
