"""How sure of a place every head is: the mean of its queries' largest weights.

Voita et al. 2019, https://arxiv.org/abs/1905.09418, section 4.2: a head's "confidence", with the
end of the sentence left out. It says how much a head attends, not what comes of it.
"""

from collections.abc import Iterable

import numpy as np
from jaxtyping import Bool, Float32

from core.trace import read_only


def head_confidence(
    weights_by_layer: Iterable[Float32[np.ndarray, "head query key"]],
    *,
    left_out: Bool[np.ndarray, " key"],
) -> Float32[np.ndarray, "layer head"]:
    """Mean over the queries of the largest weight on a key that is not left out.

    Raises ValueError where every key is left out.
    """
    if left_out.all():
        raise ValueError("no key is left to look at")
    largest = [weights[:, :, ~left_out].max(axis=2) for weights in weights_by_layer]
    return read_only(np.stack([of_layer.mean(axis=1) for of_layer in largest]))
