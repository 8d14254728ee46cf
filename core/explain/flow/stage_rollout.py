"""The film of a rollout whose layers stand on several grids, as Swin's stages do.

As `core.explain.flow.rollout.film_of_maps`, but at a merge of 2 × 2 patches into one, a
patch has seen what its children have seen, on average (`core.explain.flow.stages`).
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

from core.explain.flow.rollout import HeadFusion, fused_layer, row_of_maps
from core.explain.flow.stages import children, grid_of
from core.trace import AttentionKind, PatchGrid, Trace, read_only


def fused_stages(
    trace: Trace,
    *,
    head_fusion: HeadFusion = "mean",
    start_layer: int = 0,
    discard: float = 0.0,
) -> tuple[tuple[np.ndarray, ...], tuple[PatchGrid, ...]]:
    """Each layer's heads as one map (patch, patch) and the grid that it stands on.

    Raises InputError for layers whose queries and keys stand on different grids.
    """
    layers = trace.layers[AttentionKind.ENCODER][start_layer:]
    grids = tuple(grid_of(layer) for layer in layers)
    maps = tuple(
        read_only(fused_layer(layer, head_fusion=head_fusion, discard=discard)) for layer in layers
    )
    return maps, grids


def film_of_stages(
    maps: Sequence[np.ndarray],
    grids: Sequence[PatchGrid],
    patch: int | None,
    *,
    residual: float = 0.5,
) -> Float32[np.ndarray, "frame patch"]:
    """Where the patch that holds `patch` of the first grid has its row from, layer by layer.

    Of no patch, the mean of all. Frame 0 is before any layer; every frame lies on the first grid.
    """
    frames = [_beginning(grids[0], grids[0], patch)]
    for n in range(1, len(maps) + 1):
        row = _beginning(grids[0], grids[n - 1], patch)
        for index in reversed(range(n)):
            row = row_of_maps([maps[index]], row, residual=residual)
            if index and grids[index - 1] != grids[index]:
                row = _shared_out(row, grids[index - 1], grids[index])
        frames.append(row)
    return read_only(np.stack(frames))


def _beginning(first: PatchGrid, grid: PatchGrid, patch: int | None) -> np.ndarray:
    count = grid.n_patches
    if patch is None:
        return np.full(count, 1 / count, dtype=np.float32)
    row = np.zeros(count, dtype=np.float32)
    row[patch if grid == first else children(first, grid)[patch]] = 1
    return row


def _shared_out(row: np.ndarray, fine: PatchGrid, coarse: PatchGrid) -> np.ndarray:
    """A parent's share, divided equally among its children."""
    parent = children(fine, coarse)
    siblings = np.bincount(parent, minlength=len(row)).astype(np.float32)
    return (row / siblings)[parent]
