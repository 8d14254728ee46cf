"""Patterns on a grid of 4 × 4, worked out."""

import numpy as np

from core.explain.objectives.mask_patterns import block, one_of_four, right_half
from core.trace import PatchGrid

GRID = PatchGrid(4, 4, prefix_tokens=1)


def test_patterns_worked_out():
    assert np.flatnonzero(right_half(GRID)).tolist() == [2, 3, 6, 7, 10, 11, 14, 15]
    assert np.flatnonzero(block(GRID)).tolist() == [5, 6, 9, 10]
    shown = np.flatnonzero(~one_of_four(GRID))
    assert shown.tolist() == [0, 2, 8, 10]
    assert one_of_four(PatchGrid(14, 14, 1)).mean() == 0.75


def test_a_middle_column_stays():
    assert right_half(PatchGrid(1, 3, 0)).tolist() == [[False, False, True]]
