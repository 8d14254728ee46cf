"""How much each token would write: ‖f(x_j)‖, a head's value of a token behind its W^O.

Kobayashi et al. 2020, "Attention is Not Only a Weight", https://arxiv.org/abs/2004.10102, equation
3: a head adds Σ_j α_ij f(x_j) to query i, so α_ij ‖f(x_j)‖ says how much of key j is written.
"""

import numpy as np
from jaxtyping import Float32

from core.trace import AttentionLayer, read_only


def written_norms(
    layer: AttentionLayer, outputs: Float32[np.ndarray, "head d_value d_model"]
) -> Float32[np.ndarray, "head key"]:
    """‖f(x_j)‖ of every head and key. Raises ValueError for a layer whose values were not caught.

    outputs: W^O of each head; its bias belongs to no head.
    """
    if layer.values is None:
        raise ValueError(f"layer {layer.index} keeps no values")
    # ‖v W‖² = v (W Wᵀ) vᵀ: d_value × d_value numbers a head instead of d_model a token.
    inner = np.einsum("hdm,hem->hde", outputs, outputs, dtype=np.float64)
    squares = np.einsum("hkd,hde,hke->hk", layer.values, inner, layer.values, optimize=True)
    return read_only(np.sqrt(np.maximum(squares, 0)).astype(np.float32))
