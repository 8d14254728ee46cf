"""Patches' states as colours: their three leading principal components, as red, green and blue.

Oquab et al. 2024, "DINOv2", https://arxiv.org/abs/2304.07193, figures 1 and 9: parts of one kind
get one colour. There several pictures share their components and the background is cut off by
the first; here it is one picture and all its patches.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32, UInt8

from core.trace import read_only

CHANNELS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class PatchComponents:
    """Each patch along the three directions in which the patches differ most."""

    scores: Float32[np.ndarray, "row column 3"]  # in the states' own unit, each with mean zero
    explained: Float32[np.ndarray, "3"]  # share of the variance of all patches

    @property
    def colours(self) -> UInt8[np.ndarray, "row column 3"]:
        """Each channel from its least to its greatest score; one that doesn't vary is mid-grey."""
        low, high = self.scores.min(axis=(0, 1)), self.scores.max(axis=(0, 1))
        span = np.where(high > low, high - low, 1)
        shares = np.where(high > low, (self.scores - low) / span, 0.5)
        return np.rint(255 * shares).astype(np.uint8)


def patch_components(states: Float32[np.ndarray, "row column d_model"]) -> PatchComponents:
    """PCA over one picture's patches, centred, not scaled. A missing component is zero.

    A component's sign is free: the score that is largest in size is positive.
    """
    rows, columns, size = states.shape
    flat = states.reshape(-1, size).astype(np.float64)
    left, sizes, _ = np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)
    sizes = np.where(sizes > sizes[0] * 1e-10, sizes, 0)  # what rounding leaves is no component
    scores = np.zeros((rows * columns, CHANNELS))
    kept = min(CHANNELS, len(sizes))
    scores[:, :kept] = left[:, :kept] * sizes[:kept]
    extremes = np.take_along_axis(scores, np.abs(scores).argmax(axis=0, keepdims=True), axis=0)
    scores *= np.where(extremes < 0, -1, 1)
    explained = np.zeros(CHANNELS)
    explained[:kept] = sizes[:kept] ** 2 / ((sizes**2).sum() or 1.0)
    return PatchComponents(
        read_only(scores.reshape(rows, columns, CHANNELS).astype(np.float32)),
        read_only(explained.astype(np.float32)),
    )
