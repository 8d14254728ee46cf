"""What the patch embedding looks for: its filters' principal components, as coloured patches.

Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, figure 7 (left), shows the first 28
components of the linear embedding's RGB filters.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32, UInt8

from core.trace import read_only

FIGURE_7: Final = 28  # components that the paper shows


@dataclass(frozen=True, slots=True, eq=False)
class PrincipalFilters:
    """Directions in the space of patches along which the filters vary most; each of length one."""

    components: Float32[np.ndarray, "component row column 3"]
    explained: Float32[np.ndarray, " component"]  # share of the filters' variance

    @property
    def nbytes(self) -> int:
        return self.components.nbytes


def principal_filters(
    filters: Float32[np.ndarray, "filter row column 3"], count: int = FIGURE_7
) -> PrincipalFilters:
    """The first principal components over the filters, the largest share first."""
    flat = filters.reshape(len(filters), -1).astype(np.float64)
    _, sizes, directions = np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)
    total = (sizes**2).sum() or 1.0
    components = directions[:count].reshape(-1, *filters.shape[1:])
    return PrincipalFilters(
        read_only(with_fixed_signs(components.astype(np.float32))),
        read_only((sizes[:count] ** 2 / total).astype(np.float32)),
    )


def with_fixed_signs(
    components: Float32[np.ndarray, "component row column 3"],
) -> Float32[np.ndarray, "component row column 3"]:
    """A component's sign is arbitrary: here its largest entry is positive."""
    flat = components.reshape(len(components), -1)
    largest = np.take_along_axis(flat, np.abs(flat).argmax(axis=1, keepdims=True), axis=1)
    return components * np.where(largest < 0, np.float32(-1), np.float32(1))[:, :, None, None]


def as_colours(
    components: Float32[np.ndarray, "component row column 3"],
) -> UInt8[np.ndarray, "component row column 3"]:
    """Zero is mid-grey; one scale for all, symmetric, so that the largest |entry| is an end."""
    largest = float(np.abs(components).max(initial=0.0)) or 1.0
    return np.rint(127.5 + 127.5 * components / largest).clip(0, 255).astype(np.uint8)


def mosaic(
    tiles: UInt8[np.ndarray, "tile row column 3"], across: int, *, scale: int = 1, gap: int = 1
) -> UInt8[np.ndarray, "height width 3"]:
    """Tiles in rows of `across`, each pixel `scale` wide, with a white gap around each."""
    high, wide = tiles.shape[1] * scale + 2 * gap, tiles.shape[2] * scale + 2 * gap
    down = -(-len(tiles) // across)
    sheet = np.full((down * high, across * wide, 3), 255, np.uint8)
    for index, tile in enumerate(tiles):
        row, column = divmod(index, across)
        top, left = row * high + gap, column * wide + gap
        large = tile.repeat(scale, axis=0).repeat(scale, axis=1)
        sheet[top : top + large.shape[0], left : left + large.shape[1]] = large
    return sheet
