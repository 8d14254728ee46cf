"""Mean attention distance: how far over the picture a head looks.

Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, figures 7 (right) and 11: for every
patch, the distance to the patches it looks at, weighted by attention and averaged over
queries. Prefix tokens have no place, so rows are renormalised over the patches.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32

from core.errors import InputError
from core.trace import AttentionLayer, PatchGrid, Trace, read_only

Size = tuple[float, float]  # (height, width)


@dataclass(frozen=True, slots=True, eq=False)
class LayerReach:
    """How far and how evenly one layer's heads look, on one picture or on the mean of several."""

    layer: int
    distances: Float32[np.ndarray, " head"]  # in the unit of the patch size
    entropies: Float32[np.ndarray, " head"]  # bits, mean over queries
    uniform_distance: float  # of a head that looks at all patches it may see alike
    uniform_entropy: float  # bits: log2 of the keys that a query may see, prefix tokens included

    @property
    def nbytes(self) -> int:
        return self.distances.nbytes + self.entropies.nbytes


def attention_distance(
    trace: Trace, *, patch_pixels: float | Size = 1.0
) -> Float32[np.ndarray, "layer head"]:
    """Mean distance in pixels (in patches, by default), for every head of every layer.

    `patch_pixels` is the size of a patch of `trace.patches`, (height, width) where it is not
    square. A layer with fewer heads than another has NaN for those it lacks. Raises InputError
    where a layer's positions are not patches.
    """
    by_layer = [reach.distances for reach in attention_reach(trace, patch_pixels=patch_pixels)]
    distances = np.full((len(by_layer), max(map(len, by_layer))), np.nan, dtype=np.float32)
    for row, heads in zip(distances, by_layer, strict=True):
        row[: len(heads)] = heads
    return read_only(distances)


def attention_reach(trace: Trace, *, patch_pixels: float | Size = 1.0) -> tuple[LayerReach, ...]:
    """Distance and entropy of every head, with what uniform attention would have.

    Raises InputError as `attention_distance` does.
    """
    size = patch_pixels if isinstance(patch_pixels, tuple) else (patch_pixels, patch_pixels)
    layers = trace.layers[trace.kinds[0]]
    return tuple(_layer_reach(layer, trace.patches or layer.query_grid, size) for layer in layers)


def mean_reach(pictures: Sequence[Sequence[LayerReach]]) -> tuple[LayerReach, ...]:
    """The mean over pictures that one model saw at one size."""
    return tuple(
        LayerReach(
            layer=same[0].layer,
            distances=read_only(np.mean([one.distances for one in same], axis=0)),
            entropies=read_only(np.mean([one.entropies for one in same], axis=0)),
            uniform_distance=same[0].uniform_distance,
            uniform_entropy=same[0].uniform_entropy,
        )
        for same in zip(*pictures, strict=True)
    )


def uniform_distance(grid: PatchGrid) -> float:
    """The distance of a head that looks everywhere equally: the baseline, in patches."""
    return float(patch_distances(grid).mean())


def patch_distances(
    queries: PatchGrid, keys: PatchGrid | None = None, *, size: Size = (1.0, 1.0)
) -> Float32[np.ndarray, "query key"]:
    """Euclidean distances between patches' centres, in the unit of a query's patch `size`.

    Keys may lie on another grid of the same picture.
    """
    keys = keys or queries
    whole = (queries.rows * size[0], queries.columns * size[1])
    between = _centres(queries, whole)[:, None] - _centres(keys, whole)[None]
    return np.linalg.norm(between, axis=-1).astype(np.float32)


def _centres(grid: PatchGrid, picture: Size) -> Float32[np.ndarray, "patch 2"]:
    row, column = np.divmod(np.arange(grid.n_patches), grid.columns)
    places = np.stack([(row + 0.5) / grid.rows, (column + 0.5) / grid.columns], axis=-1)
    return (places * picture).astype(np.float32)


def _layer_reach(layer: AttentionLayer, base: PatchGrid | None, size: Size) -> LayerReach:
    queries, keys = layer.query_grid, layer.key_grid
    if base is None or queries is None or keys is None:
        raise InputError(
            f"Attention distance needs queries and keys on a grid of patches; layer {layer.index} "
            "of this model has none."
        )
    # a later stage's patch covers several of the first
    scaled = (size[0] * base.rows / queries.rows, size[1] * base.columns / queries.columns)
    distances = patch_distances(queries, keys, size=scaled)
    weights = layer.weights
    rows = weights[:, queries.prefix_tokens :, keys.prefix_tokens :]
    on_patches = rows.sum(axis=-1)
    far = np.einsum("hqk,qk->hq", rows, distances, optimize=True)
    far = np.divide(far, on_patches, out=np.zeros_like(far), where=on_patches > 0)
    allowed = layer.allowed()  # Swin's windows and their masks leave out most pairs
    visible = allowed[queries.prefix_tokens :, keys.prefix_tokens :]
    each = (distances * visible).sum(axis=-1) / np.maximum(visible.sum(axis=-1), 1)
    return LayerReach(
        layer=layer.index,
        distances=read_only(far.mean(axis=-1, dtype=np.float32)),
        entropies=read_only(entropy_bits(weights).mean(axis=-1, dtype=np.float32)),
        uniform_distance=float(each.mean()),
        uniform_entropy=float(np.log2(np.maximum(allowed.sum(axis=-1), 1)).mean()),
    )


def entropy_bits(
    weights: Float32[np.ndarray, "head query key"],
) -> Float32[np.ndarray, "head query"]:
    """How undecided each row is: 0 bits for one key, log2(keys) for all alike."""
    return -(weights * np.log2(np.where(weights > 0, weights, 1))).sum(axis=-1)


def relative_entropies(
    weights: Float32[np.ndarray, "head query key"], allowed: Bool[np.ndarray, "query key"]
) -> Float32[np.ndarray, " head"]:
    """Each head's mean entropy as a share of the largest that the mask allows; NaN for no choice.

    Over the queries that may see more than one key.
    """
    open_keys = allowed.sum(axis=-1)
    choosing = open_keys > 1
    if not choosing.any():
        return np.full(len(weights), np.nan, dtype=np.float32)
    shares = entropy_bits(weights)[:, choosing] / np.log2(open_keys[choosing])
    return shares.mean(axis=-1, dtype=np.float32)
