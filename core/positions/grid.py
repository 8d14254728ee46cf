"""Two dimensions: DETR's sines of row and column, and ViT's tiles of similarity.

* Carion et al., "End-to-End Object Detection with Transformers", ECCV 2020, appendix A.4.
  https://arxiv.org/abs/2005.12872
* Dosovitskiy et al., "An Image is Worth 16x16 Words", ICLR 2021, figure 7, centre.
  https://arxiv.org/abs/2010.11929
"""

import math

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.positions.sinusoidal import frequencies
from core.positions.sizes import check_positions, check_table, check_width
from core.trace import PatchGrid, read_only


def sine_2d(
    rows: int, columns: int, d_model: int, base: float = 10000.0, *, normalise: bool = True
) -> Float32[np.ndarray, "row column d_model"]:
    """Half of the dimensions tell the row, half the column, each by interleaved sines.

    Rows and columns count from 1 and, normalised as in DETR, run up to 2π. Raises InputError
    for a d_model that has no two even halves.
    """
    check_positions(min(rows, columns))
    if d_model % 4:
        raise InputError(
            f"d_model is {d_model}; two dimensions need sine and cosine each, so it must be a "
            f"multiple of 4. Give {max(4, d_model - d_model % 4)}."
        )
    check_width(d_model)
    check_table(rows, columns, d_model)
    omega = frequencies(d_model // 2, base)

    def encoded(n: int) -> np.ndarray:
        places = np.arange(1, n + 1, dtype=np.float64)
        if normalise:
            places = places / (n + 1e-6) * 2 * math.pi
        angles = places[:, None] * omega
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, -1)

    table = np.empty((rows, columns, d_model), dtype=np.float32)
    table[..., : d_model // 2] = encoded(rows)[:, None]
    table[..., d_model // 2 :] = encoded(columns)[None, :]
    return read_only(table)


def tiles(
    similarity: Float32[np.ndarray, "patch patch"], grid: PatchGrid
) -> Float32[np.ndarray, "y x"]:
    """The similarity of patches as a picture of pictures: one tile a patch, in its place.

    Tile (r, c) is a map over all patches of how similar they are to patch (r, c); its own
    place in the tile has the highest value. `similarity` is without prefix tokens.
    """
    rows, columns = grid.rows, grid.columns
    if similarity.shape != (rows * columns, rows * columns):
        raise ValueError(f"{similarity.shape} similarities for a grid of {rows} × {columns}")
    by_place = similarity.reshape(rows, columns, rows, columns)
    return read_only(by_place.transpose(0, 2, 1, 3).reshape(rows * rows, columns * columns))


def similarity_by_steps(
    similarity: Float32[np.ndarray, "patch patch"], grid: PatchGrid
) -> Float32[np.ndarray, "rows columns"]:
    """Mean similarity of all pairs of patches so many rows and so many columns apart."""
    rows, columns = np.divmod(np.arange(grid.n_patches), grid.columns)
    down = np.abs(rows[:, None] - rows)
    along = np.abs(columns[:, None] - columns)
    steps = (down * grid.columns + along).ravel()
    sums = np.bincount(steps, similarity.ravel().astype(np.float64))
    means = sums / np.bincount(steps)
    return read_only(means.reshape(grid.rows, grid.columns).astype(np.float32))
