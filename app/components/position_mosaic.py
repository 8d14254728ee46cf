"""Similarities of patches' positions as a picture of pictures: one tile a patch, in its place.

Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, figure 7, centre.
"""

from typing import Final

import numpy as np
from jaxtyping import Float32

from app.components.heat_map import Cell, HeatMap
from core import positions
from core.trace import PatchGrid

MOST_CELLS: Final = 512 * 512  # of the tiles that are drawn


def tiles_map(
    similarity: Float32[np.ndarray, "patch patch"],
    grid: PatchGrid,
    *,
    label: str,
    caption: str,
    title: str,
    height: float,
) -> HeatMap:
    """All tiles, with a gap between two of them."""
    mosaic = positions.tiles(similarity, grid)
    return HeatMap(
        values=_with_gaps(mosaic, grid, 0.0).astype(np.float32),
        rows=_names(grid.rows),
        columns=_names(grid.columns),
        label=label,
        caption=caption,
        title=title,
        row_title="patch row : row compared with it",
        column_title="patch column : column compared with it",
        limit=1.0,
        hidden=_with_gaps(np.zeros_like(mosaic), grid, 1.0) > 0,
        height=height,
    )


def patch_of(cell: Cell, grid: PatchGrid) -> int | None:
    """The patch whose tile holds a cell of the map; None between two tiles."""
    row, down = divmod(cell[0], grid.rows + 1)
    column, along = divmod(cell[1], grid.columns + 1)
    if down == grid.rows or along == grid.columns:
        return None
    return row * grid.columns + column


def shape_of(grid: PatchGrid) -> tuple[int, int]:
    """Rows and columns of all tiles with their gaps."""
    return grid.rows * (grid.rows + 1) - 1, grid.columns * (grid.columns + 1) - 1


def cell_of(patch: int, grid: PatchGrid) -> Cell:
    """A patch's own place within its tile."""
    row, column = divmod(patch, grid.columns)
    return row * (grid.rows + 1) + row, column * (grid.columns + 1) + column


def _with_gaps(mosaic: np.ndarray, grid: PatchGrid, filling: float) -> np.ndarray:
    """One row and one column between two tiles."""
    down = range(grid.rows, grid.rows**2, grid.rows)
    along = range(grid.columns, grid.columns**2, grid.columns)
    return np.insert(np.insert(mosaic, down, filling, axis=0), along, filling, axis=1)


def _names(n: int) -> tuple[str, ...]:
    """Of every row or column of the mosaic: the tile's patch, then the place within the tile."""
    tiles = ([f"{tile}:{place}" for place in range(n)] for tile in range(n))
    return tuple(name for tile in tiles for name in (*tile, ""))[:-1]
