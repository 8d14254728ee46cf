"""Masks over patches that are no lottery: what is hidden decides what can be learned from it.

He et al. 2022, https://arxiv.org/abs/2111.06377, figure 6 and table 1f: block-wise and grid-wise
masks beside random ones. True stands for a hidden patch.
"""

import numpy as np
from jaxtyping import Bool

from core.trace import PatchGrid

Mask = Bool[np.ndarray, "row column"]


def one_of_four(grid: PatchGrid) -> Mask:
    """All but one patch of each 2 × 2: the paper's grid-wise mask (figure 6, right)."""
    row, column = np.indices((grid.rows, grid.columns))
    return (row % 2 == 1) | (column % 2 == 1)


def block(grid: PatchGrid) -> Mask:
    """A block in the middle, half as high and half as wide as the picture."""
    row, column = np.indices((grid.rows, grid.columns))
    down = np.abs(row - (grid.rows - 1) / 2) < grid.rows / 4
    return down & (np.abs(column - (grid.columns - 1) / 2) < grid.columns / 4)


def right_half(grid: PatchGrid) -> Mask:
    """The right half; a middle column of an odd number stays."""
    _, column = np.indices((grid.rows, grid.columns))
    return column >= grid.columns / 2
