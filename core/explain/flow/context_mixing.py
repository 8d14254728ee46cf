"""Context mixing: how much of every token a layer puts into every other.

Mohebbi et al. 2023, "Quantifying Context Mixing in Transformers", EACL,
https://arxiv.org/abs/2301.12971: a layer's map is made from what it does, not from its weights
alone, and the layers' maps are multiplied as attention rollout does.
"""

import numpy as np
from jaxtyping import Float32, Float64

from core.trace import read_only


def value_zeroing_map(
    states: Float32[np.ndarray, "query d_model"],
    zeroed: Float32[np.ndarray, "key query d_model"],
) -> Float32[np.ndarray, "query key"]:
    """1 − cos of every output i with and without the value of token j.

    states: what the layer gives. zeroed: the same with token j's value zero in it. A row may be
    all zero: an output that no value changed.
    """
    whole = _unit(states.astype(np.float64))
    less = _unit(zeroed.astype(np.float64))
    cosines = np.einsum("qd,kqd->qk", whole, less)
    return read_only(np.maximum(1 - cosines, 0).astype(np.float32))


def _unit(vectors: Float64[np.ndarray, "*place d_model"]) -> Float64[np.ndarray, "*place d_model"]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
