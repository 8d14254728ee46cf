"""Attention rollout: where a token's information came from, through all layers together.

Abnar & Zuidema 2020, https://arxiv.org/abs/2005.00928, section 3, equation 1: each layer's
map, its heads fused, is mixed with the identity for the residual connection, and the maps are
multiplied, the first layer rightmost:

    Â_l = (1 − residual) · A_l + residual · I        R = Â_L · … · Â_start

Rows are queries, and every row of A_l, Â_l and R sums to one. Rollout sees no values, no MLP
and no sign: it is a flow of attention, not a cause.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.trace import AttentionKind, AttentionLayer, PatchGrid, Trace, read_only, refuse_sink

HeadFusion = Literal["mean", "max", "min"]
FUSIONS = {"mean": np.mean, "max": np.max, "min": np.min}
COMBINED = {"mean": np.add, "max": np.maximum, "min": np.minimum}


def attention_rollout(
    trace: Trace,
    kind: AttentionKind | None = None,
    *,
    head_fusion: HeadFusion = "mean",
    residual: float = 0.5,
    start_layer: int = 0,
    discard: float = 0.0,
) -> Float32[np.ndarray, "query key"]:
    """How much each input position (key) went into each output position (query).

    `residual` 0 is attention alone, 1 the identity. `discard` zeroes that fraction of each
    layer's fused map, its smallest weights, before the rows are normalised. Raises InputError
    for cross-attention, for layers of different sizes, for a model with a learned sink, and for
    values out of range.
    """
    _refuse_residual(residual)
    maps = fused_maps(
        trace, kind, head_fusion=head_fusion, start_layer=start_layer, discard=discard
    )
    return rollout_of_maps(maps, residual=residual)


def rollout_row(
    trace: Trace,
    query: int,
    kind: AttentionKind | None = None,
    *,
    head_fusion: HeadFusion = "mean",
    residual: float = 0.5,
    start_layer: int = 0,
    discard: float = 0.0,
) -> Float32[np.ndarray, " key"]:
    """One row of `attention_rollout`, as products of a vector with matrices."""
    _refuse_residual(residual)
    maps = fused_maps(
        trace, kind, head_fusion=head_fusion, start_layer=start_layer, discard=discard
    )
    return row_of_maps(maps, one_hot(len(maps[0]), query), residual=residual)


def rollout_film(
    trace: Trace,
    query: int,
    kind: AttentionKind | None = None,
    *,
    head_fusion: HeadFusion = "mean",
    residual: float = 0.5,
    start_layer: int = 0,
    discard: float = 0.0,
) -> Float32[np.ndarray, "layer key"]:
    """The query's row after each layer from `start_layer` on: the rollout as it grows."""
    _refuse_residual(residual)
    maps = fused_maps(
        trace, kind, head_fusion=head_fusion, start_layer=start_layer, discard=discard
    )
    return film_of_maps(maps, one_hot(len(maps[0]), query), residual=residual)[1:]


def fused_maps(
    trace: Trace,
    kind: AttentionKind | None = None,
    *,
    head_fusion: HeadFusion = "mean",
    start_layer: int = 0,
    discard: float = 0.0,
) -> tuple[Float32[np.ndarray, "position position"], ...]:
    """Each layer's heads as one map whose rows sum to one, from `start_layer` on.

    Rollouts from many queries and with many residual weights share them. Raises InputError as
    `attention_rollout` does.
    """
    _refuse_out_of_range(trace, kind, start_layer, discard)
    refuse_sink(trace.layers[trace.kinds[0] if kind is None else kind], "Rollout")
    maps: list[np.ndarray] = []
    for index in range(start_layer, trace.n_layers(kind)):
        layer = trace.attention(index, kind=kind)
        shape = layer.map_shape
        if shape[0] != shape[1] or (maps and maps[0].shape != shape):
            raise InputError(
                f"Layer {index} maps {shape[0]} positions to {shape[1]}: rollout multiplies square "
                "maps of one size. This model's layers see different grids."
            )
        fused = fused_layer(layer, head_fusion=head_fusion, discard=discard)
        fused.setflags(write=False)
        maps.append(fused)
    return tuple(maps)


def rollout_of_maps(
    maps: Sequence[Float32[np.ndarray, "position position"]], *, residual: float = 0.5
) -> Float32[np.ndarray, "query key"]:
    """The whole product of fused maps, the first layer first."""
    identity = np.eye(len(maps[0]), dtype=np.float32)
    rollout = _mixed(maps[0], identity, residual)
    for fused in maps[1:]:
        rollout = _mixed(fused @ rollout, rollout, residual)
    return read_only(rollout)


def row_of_maps(
    maps: Sequence[Float32[np.ndarray, "position position"]],
    start: Float32[np.ndarray, " position"],
    *,
    residual: float = 0.5,
) -> Float32[np.ndarray, " position"]:
    """`start` times the whole product: one row of it where `start` is `one_hot`.

    The last layer comes first, so that only vectors are multiplied.
    """
    row = start
    for fused in reversed(maps):
        row = _mixed(row @ fused, row, residual)
    return read_only(row)


def film_of_maps(
    maps: Sequence[Float32[np.ndarray, "position position"]],
    start: Float32[np.ndarray, " position"],
    *,
    residual: float = 0.5,
) -> Float32[np.ndarray, "frame position"]:
    """`start` itself, then its row of the rollout up to each layer: one frame more than maps."""
    frames = [row_of_maps(maps[:n], start, residual=residual) for n in range(len(maps) + 1)]
    return read_only(np.stack(frames))


def frames_of_maps(
    maps: Sequence[Float32[np.ndarray, "position position"]], *, residual: float = 0.5
) -> Float32[np.ndarray, "frame query key"]:
    """The identity, then the whole rollout up to each layer: every query's `film_of_maps`."""
    _refuse_residual(residual)
    frames = [np.eye(len(maps[0]), dtype=np.float32)]
    for fused in maps:
        frames.append(_mixed(fused @ frames[-1], frames[-1], residual))
    return read_only(np.stack(frames))


def one_hot(size: int, index: int) -> Float32[np.ndarray, " size"]:
    """A query by itself. Raises InputError for one that is not there."""
    if not 0 <= index < size:
        raise InputError(f"Positions count from 0 to {size - 1}, not {index}.")
    vector = np.zeros(size, dtype=np.float32)
    vector[index] = 1
    return vector


def mean_of_patches(grid: PatchGrid) -> Float32[np.ndarray, " position"]:
    """All patches alike: where a model that averages its patches begins."""
    n_patches = grid.n_patches
    vector = np.zeros(grid.prefix_tokens + n_patches, dtype=np.float32)
    vector[grid.prefix_tokens :] = 1 / n_patches
    return vector


def fuse_heads(
    weights: Float32[np.ndarray, "head query key"],
    *,
    head_fusion: HeadFusion = "mean",
    discard: float = 0.0,
) -> Float32[np.ndarray, "query key"]:
    """One map of all heads whose rows sum to one.

    A row that loses all its weights looks at itself.
    """
    fused = np.asarray(FUSIONS[head_fusion](weights, axis=0), dtype=np.float32)
    return rows_to_one(fused, discard)


def fused_layer(
    layer: AttentionLayer, *, head_fusion: HeadFusion = "mean", discard: float = 0.0
) -> Float32[np.ndarray, "query key"]:
    """`fuse_heads` of a layer's weights, made head by head: a third of the time and memory."""
    queries, keys, bias = layer.queries, layer.keys, layer.bias
    if layer.windows or layer.recorded_weights is not None or queries is None or keys is None:
        return fuse_heads(layer.weights, head_fusion=head_fusion, discard=discard)
    combine = COMBINED[head_fusion]
    share = np.float32(1 / len(queries) if head_fusion == "mean" else 1)
    ones = np.ones(keys.shape[1], dtype=np.float32)  # BLAS sums rows faster than `sum`
    fused = np.empty((queries.shape[1], keys.shape[1]), dtype=np.float32)
    weights = np.empty_like(fused)
    for head, query in enumerate(queries):
        into = weights if head else fused
        np.matmul(query * np.float32(layer.scale), keys[head].T, out=into)
        if bias is not None:
            into += bias[head if len(bias) > 1 else 0]
        into -= into.max(axis=1, keepdims=True)
        np.exp(into, out=into)
        into *= share / (into @ ones)[:, None]
        if head:
            combine(fused, weights, out=fused)
    if not np.isfinite(fused).all():
        raise ValueError(f"layer {layer.index} has a row of weights that is not finite")
    return rows_to_one(fused, discard)


def rows_to_one(
    fused: Float32[np.ndarray, "query key"], discard: float = 0.0
) -> Float32[np.ndarray, "query key"]:
    """Without the smallest weights, which are dropped in place, and with rows that sum to one.

    A row without any weight looks at itself.
    """
    if n_discarded := int(discard * fused.size):
        smallest = np.argpartition(fused, n_discarded - 1, axis=None)[:n_discarded]
        fused.flat[smallest] = 0
    sums = fused.sum(axis=1, keepdims=True)
    identity = np.eye(*fused.shape, dtype=np.float32)
    return np.divide(fused, sums, out=identity, where=sums > 0)


def attention_pool_row(
    trace: Trace, *, head_fusion: HeadFusion = "mean"
) -> Float32[np.ndarray, " position"] | None:
    """Where a picture model's attention pool looks (SigLIP): there its answer begins."""
    if trace.pool is None:
        return None
    fused = np.asarray(FUSIONS[head_fusion](trace.pool.weights, axis=0)[0], dtype=np.float32)
    return read_only(fused / fused.sum())


def _refuse_residual(residual: float) -> None:
    """Raises InputError for a share that is none."""
    if not 0 <= residual <= 1:
        raise InputError(f"The residual's share is 0 to 1, not {residual}.")


def _mixed(attended: np.ndarray, kept: np.ndarray, residual: float) -> np.ndarray:
    """(1 − residual) · attended + residual · kept."""
    return np.float32(1 - residual) * attended + np.float32(residual) * kept


def _refuse_out_of_range(
    trace: Trace, kind: AttentionKind | None, start_layer: int, discard: float
) -> None:
    if kind == AttentionKind.CROSS:
        raise InputError("Rollout follows self-attention; choose the encoder's or the decoder's.")
    if not 0 <= discard < 1:
        raise InputError(f"The discarded share is 0 to below 1, not {discard}.")
    if not 0 <= start_layer < trace.n_layers(kind):
        raise InputError(f"Layers count from 0 to {trace.n_layers(kind) - 1}, not {start_layer}.")
