"""Reach: which patches can have influenced a patch after k blocks, by windows and merges alone.

Liu et al. 2021, https://arxiv.org/abs/2103.14030, section 3.2: without the shift no window would
ever hear of another. Reach asks only where information *may* have come from, whatever the weights:
it is the support that attention rollout can have. In a ViT one block reaches everything.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from jaxtyping import Bool

from core.errors import InputError
from core.explain.flow.stages import children
from core.trace import PatchGrid, read_only
from core.trace.windows import WindowPartition


def reach(
    blocks: Sequence[WindowPartition], patch: int
) -> tuple[Bool[np.ndarray, "row column"], ...]:
    """The first grid's patches that may have influenced one patch, after 0, 1, … all blocks.

    `patch` counts on the first block's grid; where stages have merged, the patch that it has
    become is followed.
    """
    return _reach(tuple(blocks), patch)


@lru_cache(maxsize=256)  # the same small maps, whatever the picture
def _reach(
    blocks: tuple[WindowPartition, ...], patch: int
) -> tuple[Bool[np.ndarray, "row column"], ...]:
    if not blocks:
        raise InputError("Reach is asked of at least one block.")
    first = _grid(blocks[0])
    if not 0 <= patch < blocks[0].n_patches:
        raise InputError(f"There is no patch {patch}: they count to {blocks[0].n_patches - 1}.")
    alone = np.zeros(blocks[0].n_patches, dtype=bool)
    alone[patch] = True
    found = [alone.reshape(first.rows, first.columns)]
    for count in range(1, len(blocks) + 1):
        last = _grid(blocks[count - 1])
        mine = int(children(first, last)[patch]) if last != first else patch
        found.append(_sources(blocks[:count], mine))
    return tuple(read_only(each) for each in found)


def _sources(blocks: Sequence[WindowPartition], patch: int) -> np.ndarray:
    """Back from the last block's output to the first block's input."""
    reached = np.zeros(blocks[-1].n_patches, dtype=bool)
    reached[patch] = True
    grid = _grid(blocks[-1])
    for block in reversed(blocks):
        if _grid(block) != grid:
            reached, grid = reached[children(_grid(block), grid)], _grid(block)
        seen = (block.allowed & reached[block.index][:, :, None]).any(axis=1)  # (window, key)
        reached = np.zeros_like(reached)
        reached[block.index] = seen
    return reached.reshape(grid.rows, grid.columns)


def _grid(block: WindowPartition) -> PatchGrid:
    return PatchGrid(block.rows, block.columns, 0)
