"""LeGrad: how an answer read from each layer would grow with that layer's attention.

Bousselham et al. 2024, https://arxiv.org/abs/2404.03214, section 3: s_l is the class's
score if the model's head read layer l's tokens; its gradient with respect to the same layer's
maps, where positive, is averaged over heads and queries, then over layers:

    E = mean over layers, heads and queries of (∂s_l / ∂A_l)⁺
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

from core.trace import read_only


def legrad(
    gradients: Sequence[Float32[np.ndarray, "_head _query key"]],
) -> Float32[np.ndarray, " key"]:
    """One number a key, from each layer's ∂s_l/∂A_l, in any order."""
    layers = [np.maximum(each, 0).mean(axis=(0, 1)) for each in gradients]
    return read_only(np.stack(layers).mean(axis=0))
