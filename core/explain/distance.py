"""Mean attention distance: how far over the picture a head looks.

Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, figures 7 (right) and 11: for every
patch, the distance to the patches it looks at, weighted by attention and averaged over
queries. Prefix tokens have no place, so rows are renormalised over the patches.
"""

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.trace import AttentionLayer, PatchGrid, Trace, read_only


def attention_distance(
    trace: Trace, *, patch_pixels: float = 1.0
) -> Float32[np.ndarray, "layer head"]:
    """Mean distance in pixels (in patches, by default), for every head of every layer.

    Raises InputError where a layer's positions are not the patches of one grid.
    """
    layers = trace.layers[trace.kinds[0]]
    return read_only(np.stack([layer_distance(layer) for layer in layers]) * patch_pixels)


def layer_distance(layer: AttentionLayer) -> Float32[np.ndarray, " head"]:
    """One layer's mean distances, in patches."""
    grid = layer.query_grid
    if grid is None or layer.key_grid != grid:
        raise InputError(
            "Attention distance needs queries and keys on one grid of patches; this model's "
            "layers have none, or pool their keys."
        )
    first = grid.prefix_tokens
    rows = layer.weights[:, first:, first:]
    sums = rows.sum(axis=-1, keepdims=True)
    rows = np.divide(rows, sums, out=np.zeros_like(rows), where=sums > 0)
    return (rows * patch_distances(grid)).sum(axis=-1).mean(axis=-1, dtype=np.float32)


def uniform_distance(grid: PatchGrid) -> float:
    """The distance of a head that looks everywhere equally: the baseline, in patches."""
    return float(patch_distances(grid).mean())


def patch_distances(grid: PatchGrid) -> Float32[np.ndarray, "patch patch"]:
    """Euclidean distances between patches' centres, in patches."""
    row, column = np.divmod(np.arange(grid.rows * grid.columns), grid.columns)
    places = np.stack([row, column], axis=-1).astype(np.float32)
    return np.linalg.norm(places[:, None] - places[None], axis=-1).astype(np.float32)
