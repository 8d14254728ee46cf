"""Tiles with gaps: a cell's patch, a patch's cell, and every similarity in its place."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.components.position_mosaic import cell_of, patch_of, tiles_map
from core.trace import PatchGrid

sides = st.integers(1, 5)


@given(rows=sides, columns=sides)
def test_a_patchs_own_cell_lies_in_its_tile_and_holds_its_own_similarity(rows: int, columns: int):
    grid = PatchGrid(rows, columns, 1)
    count = rows * columns
    similarity = np.eye(count, dtype=np.float32)
    figure = tiles_map(similarity, grid, label="tiles", caption="", title="", height=100)
    for patch in range(count):
        cell = cell_of(patch, grid)
        assert patch_of(cell, grid) == patch
        assert figure.values[cell] == 1
    assert figure.hidden is not None
    assert figure.values[~figure.hidden].sum() == count
    assert figure.hidden.size - figure.hidden.sum() == count**2


def test_between_two_tiles_there_is_no_patch():
    grid = PatchGrid(2, 3, 0)
    assert patch_of((2, 0), grid) is None
    assert patch_of((0, 3), grid) is None
    assert patch_of((3, 4), grid) == 4
