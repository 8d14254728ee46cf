"""How many pairs attention weighs, and the bytes of its maps, for texts and for pictures.

Full: every position with every other, n². Linformer projects the keys to a fixed number
(Wang et al. 2020, https://arxiv.org/abs/2006.04768). Windows: each position with those of
its own window (Swin: Liu et al. 2021, equations 1 and 2, https://arxiv.org/abs/2103.14030).
Numbers are floats, since a million positions make 10¹² pairs.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np
from jaxtyping import Float64

Lengths = Float64[np.ndarray, " length"]


def full_pairs(n: Lengths) -> Lengths:
    """n²."""
    return n**2


def limited_pairs(n: Lengths, partners: int) -> Lengths:
    """n · min(n, partners): Linformer's projected keys, or a window's positions."""
    return n * np.minimum(n, partners)


def map_bytes(pairs: Lengths, *, layers: int, heads: int, bytes_each: int) -> Lengths:
    """Bytes of all maps of a model if all are kept, as for a backward pass."""
    return pairs * float(layers * heads * bytes_each)


@dataclass(frozen=True)
class Picture:
    """A picture cut into square patches of `patch` pixels; ragged edges are padded."""

    width: int
    height: int
    patch: int = 1

    @property
    def rows(self) -> int:
        return ceil(self.height / self.patch)

    @property
    def columns(self) -> int:
        return ceil(self.width / self.patch)

    @property
    def positions(self) -> int:
        return self.rows * self.columns

    @property
    def pairs(self) -> int:
        """(HW)². 1920 × 1080 pixels: 4.3 · 10¹²."""
        return self.positions**2

    def window_pairs(self, window: int) -> int:
        """M² · HW, with H and W padded to whole windows of M × M patches."""
        return window**2 * self._padded(window)

    def attention_operations(self, channels: int) -> int:
        """Swin's equation 1: 4·HW·C² + 2·(HW)²·C."""
        return 4 * self.positions * channels**2 + 2 * self.pairs * channels

    def window_operations(self, channels: int, window: int) -> int:
        """Swin's equation 2: 4·HW·C² + 2·M²·HW·C."""
        return 4 * self.positions * channels**2 + 2 * self.window_pairs(window) * channels

    def _padded(self, window: int) -> int:
        return ceil(self.rows / window) * ceil(self.columns / window) * window**2
