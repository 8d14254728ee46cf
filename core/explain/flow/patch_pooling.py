"""Square blocks of patches as one: for methods that cannot take every patch of a picture.

A row that is pooled keeps its sum, so a share of attention stays a share. Blocks are cut from the
upper left; a last row or column of blocks may be smaller. Prefix tokens stay by themselves.
"""

import numpy as np
from jaxtyping import Float32

from core.trace import PatchGrid, read_only


def pool_patches(
    weights: Float32[np.ndarray, "head query key"], grid: PatchGrid, *, factor: int
) -> tuple[Float32[np.ndarray, "head pooled_query pooled_key"], PatchGrid]:
    """Maps with factor × factor patches merged: mean over their queries, sum over their keys."""
    pooled = PatchGrid(-(-grid.rows // factor), -(-grid.columns // factor), grid.prefix_tokens)
    belongs = _belongs(grid, pooled, factor)
    return read_only((belongs / belongs.sum(axis=0)).T @ weights @ belongs), pooled


def pool_row(
    row: Float32[np.ndarray, " position"], grid: PatchGrid, pooled: PatchGrid
) -> Float32[np.ndarray, " pooled_position"]:
    """One row over a grid's tokens, its patches summed over each block of the pooled grid."""
    return read_only(row @ _belongs(grid, pooled, block_side(grid, pooled)))


def block_side(grid: PatchGrid, pooled: PatchGrid) -> int:
    """How many patches a block has a side; at the edges it may have fewer."""
    return max(-(-grid.rows // pooled.rows), -(-grid.columns // pooled.columns))


def spread_blocks(
    blocks: Float32[np.ndarray, "pooled_row pooled_column"], grid: PatchGrid
) -> Float32[np.ndarray, "row column"]:
    """Every patch with its block's own number: for drawing, so sums do not stay."""
    rows, columns = blocks.shape
    side = block_side(grid, PatchGrid(rows, columns, grid.prefix_tokens))
    spread = blocks.repeat(side, axis=0).repeat(side, axis=1)
    return np.ascontiguousarray(spread[: grid.rows, : grid.columns])


def _belongs(grid: PatchGrid, pooled: PatchGrid, factor: int) -> Float32[np.ndarray, "token block"]:
    """1 where a token is part of a pooled one."""
    row, column = np.divmod(np.arange(grid.n_patches), grid.columns)
    block = grid.prefix_tokens + (row // factor) * pooled.columns + column // factor
    member = np.concatenate([np.arange(grid.prefix_tokens), block])
    belongs = np.zeros((grid.n_tokens, pooled.n_tokens), dtype=np.float32)
    belongs[np.arange(len(member)), member] = 1
    return belongs
