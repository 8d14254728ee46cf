"""One head's map, or the mean of many: weights of a mean still sum to one in every row."""

from collections.abc import Iterable
from typing import Final

import numpy as np
from jaxtyping import Float32

MEAN: Final = -1  # stands where a head's number could


def one_or_mean(
    weights: Float32[np.ndarray, "head *rest"], head: int
) -> Float32[np.ndarray, "*rest"]:
    """A head of a layer's maps or rows; of `MEAN`, or any number below zero, all heads' mean."""
    return weights.mean(axis=0, dtype=np.float32) if head < 0 else weights[head]


def mean_of_layers(
    layers: Iterable[Float32[np.ndarray, "_ query key"]],  # (head, query, key)
) -> Float32[np.ndarray, "query key"]:
    """The mean over the heads of each layer, and over the layers: every layer counts alike."""
    return np.stack([one_or_mean(weights, MEAN) for weights in layers]).mean(axis=0)
