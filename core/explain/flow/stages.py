"""From one stage's grid to another's: Swin merges 2 × 2 patches into one between its stages.

Liu et al. 2021, https://arxiv.org/abs/2103.14030, section 3.1. A patch of a deeper stage stands
for its *children* on a finer grid. So a map of a finer stage becomes one of the deeper stage when
it is averaged over a query's children and summed over a key's, and a map of a deeper stage one of
the finer when children look as their parent does and share what it gives: rows that sum to one
still do.

`stage_rollout` is attention rollout (Abnar & Zuidema 2020, equation 1) across such stages: at a
merge, a patch has seen what its children have seen, on average. The paper's rollout knows no
merging; this is its plainest extension, and like it a flow of attention, not a cause.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.explain.flow.rollout import HeadFusion, fuse_heads
from core.trace import AttentionKind, AttentionLayer, PatchGrid, Trace, read_only

STAGED: Final = "Stages are merged where no prefix tokens stand among the patches, as in Swin."


def children(fine: PatchGrid, coarse: PatchGrid) -> np.ndarray:
    """For every patch of the finer grid, the patch of the coarser one that it is merged into.

    Raises InputError for grids that are not stages of one picture.
    """
    return _children(fine, coarse)


@lru_cache(maxsize=64)
def _children(fine: PatchGrid, coarse: PatchGrid) -> np.ndarray:
    if fine.prefix_tokens or coarse.prefix_tokens:
        raise InputError(STAGED)
    sides = [(fine.rows, coarse.rows), (fine.columns, coarse.columns)]
    factors = {-(-many // few) for many, few in sides}
    if len(factors) != 1 or any(-(-many // min(factors)) != few for many, few in sides):
        raise InputError(
            f"A grid of {fine.rows} × {fine.columns} is not merged evenly into one of "
            f"{coarse.rows} × {coarse.columns}."
        )
    row, column = np.divmod(np.arange(fine.n_patches), fine.columns)
    factor = min(factors)
    return read_only((row // factor) * coarse.columns + column // factor)


def merge_map(
    weights: Float32[np.ndarray, "*head query key"], fine: PatchGrid, coarse: PatchGrid
) -> Float32[np.ndarray, "*head coarse_query coarse_key"]:
    """A map of a finer stage on a deeper stage's grid: mean over queries, sum over keys."""
    parents = _membership(fine, coarse)
    means = parents / parents.sum(axis=1, keepdims=True)
    return read_only(means @ weights @ parents.T)


def spread_map(
    weights: Float32[np.ndarray, "*head query key"], coarse: PatchGrid, fine: PatchGrid
) -> Float32[np.ndarray, "*head fine_query fine_key"]:
    """A map of a deeper stage on a finer grid: children look alike and share their parent's."""
    parents = _membership(fine, coarse)
    shares = parents / parents.sum(axis=1, keepdims=True)
    return read_only(parents.T @ weights @ shares)


def stage_rollout(
    trace: Trace,
    *,
    head_fusion: HeadFusion = "mean",
    residual: float = 0.5,
    start_layer: int = 0,
    stop_layer: int | None = None,
    discard: float = 0.0,
) -> Float32[np.ndarray, "query key"]:
    """How much each patch of layer `start_layer`'s grid (key) went into each of the last layer's.

    Layers up to and without `stop_layer`; queries lie on its last layer's grid. Rows sum to one.
    On a model of one grid this is `attention_rollout`. Raises InputError for values out of range.
    """
    layers = _layers(trace, residual, start_layer, stop_layer, discard)
    grid = grid_of(layers[0])
    rollout = np.eye(grid.n_tokens, dtype=np.float32)
    for layer in layers:
        if grid_of(layer) != grid:
            parents = _membership(grid, grid_of(layer))
            rollout = (parents / parents.sum(axis=1, keepdims=True)) @ rollout
            grid = grid_of(layer)
        attended = _attend(layer, rollout, head_fusion, discard)
        rollout = (1 - residual) * attended + residual * rollout
    return read_only(rollout.astype(np.float32))


def stage_rollout_row(
    trace: Trace,
    query: int,
    *,
    head_fusion: HeadFusion = "mean",
    residual: float = 0.5,
    start_layer: int = 0,
    stop_layer: int | None = None,
    discard: float = 0.0,
) -> Float32[np.ndarray, " key"]:
    """One row of `stage_rollout`: products of a vector with matrices, from the last layer back."""
    layers = _layers(trace, residual, start_layer, stop_layer, discard)
    grid = grid_of(layers[-1])
    if not 0 <= query < grid.n_tokens:
        raise InputError(
            f"There is no patch {query}: the last layer has {grid.rows} × {grid.columns}, counted "
            f"row by row from 0 to {grid.n_tokens - 1}."
        )
    row = np.zeros(grid.n_tokens, dtype=np.float32)
    row[query] = 1
    for layer in reversed(layers):
        if grid_of(layer) != grid:
            parents = _membership(grid_of(layer), grid)
            row = row @ (parents / parents.sum(axis=1, keepdims=True))
            grid = grid_of(layer)
        row = (1 - residual) * _attend_row(layer, row, head_fusion, discard) + residual * row
    return read_only(row.astype(np.float32))


def grid_of(layer: AttentionLayer) -> PatchGrid:
    """The one grid of a layer's queries and keys. Raises InputError where they differ."""
    if layer.query_grid is None or layer.query_grid != layer.key_grid:
        raise InputError(f"Layer {layer.index} looks from one grid of patches at another, or none.")
    return layer.query_grid


def _attend(
    layer: AttentionLayer, rollout: np.ndarray, head_fusion: HeadFusion, discard: float
) -> np.ndarray:
    """Fused map times rollout; window by window where there are windows, and nothing discarded."""
    if layer.windows is None or discard:
        return fuse_heads(layer.weights, head_fusion=head_fusion, discard=discard) @ rollout
    attended = np.empty_like(rollout)
    for weights, patches in zip(layer.windows.weights, layer.windows.index, strict=True):
        attended[patches] = fuse_heads(weights, head_fusion=head_fusion) @ rollout[patches]
    return attended


def _attend_row(
    layer: AttentionLayer, row: np.ndarray, head_fusion: HeadFusion, discard: float
) -> np.ndarray:
    """Row times fused map; of windows, only those in which the row is not zero."""
    if layer.windows is None or discard:
        return row @ fuse_heads(layer.weights, head_fusion=head_fusion, discard=discard)
    attended = np.zeros_like(row)
    for weights, patches in zip(layer.windows.weights, layer.windows.index, strict=True):
        if row[patches].any():
            attended[patches] = row[patches] @ fuse_heads(weights, head_fusion=head_fusion)
    return attended


def _membership(fine: PatchGrid, coarse: PatchGrid) -> np.ndarray:
    """(coarse patch, fine patch): 1 for a patch and its children."""
    if fine == coarse:
        return np.eye(fine.n_tokens, dtype=np.float32)
    parents = np.zeros((coarse.n_tokens, fine.n_tokens), dtype=np.float32)
    parents[children(fine, coarse), np.arange(fine.n_tokens)] = 1
    return parents


def _layers(
    trace: Trace, residual: float, start_layer: int, stop_layer: int | None, discard: float
) -> Sequence[AttentionLayer]:
    if not 0 <= residual <= 1 or not 0 <= discard < 1:
        raise InputError(
            f"The residual's share is 0 to 1 and the discarded share 0 to below 1, not {residual} "
            f"and {discard}."
        )
    layers = trace.layers[AttentionKind.ENCODER]
    stop = len(layers) if stop_layer is None else stop_layer
    if not 0 <= start_layer < stop <= len(layers):
        raise InputError(
            f"Layers count from 0 to {len(layers) - 1}: {start_layer} to before {stop} is no run "
            "of them."
        )
    return layers[start_layer:stop]
