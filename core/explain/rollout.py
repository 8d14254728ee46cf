"""Attention rollout: where a token's information came from, through all layers together.

Abnar & Zuidema 2020, https://arxiv.org/abs/2005.00928, section 3, equation 1: each layer's
map, its heads fused, is mixed with the identity for the residual connection, and the maps are
multiplied, the first layer rightmost:

    Â_l = (1 − residual) · A_l + residual · I        R = Â_L · … · Â_start

Rows are queries, and every row of A_l, Â_l and R sums to one. Rollout sees no values, no MLP
and no sign: it is a flow of attention, not a cause.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.trace import AttentionKind, Trace, read_only

HeadFusion = Literal["mean", "max", "min"]
FUSIONS = {"mean": np.mean, "max": np.max, "min": np.min}


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
    for cross-attention, for layers of different sizes, and for values out of range.
    """
    rollout: np.ndarray | None = None
    settings = (head_fusion, residual, start_layer, discard)
    for fused in _fused_layers(trace, kind, *settings):
        before = np.eye(len(fused), dtype=np.float32) if rollout is None else rollout
        rollout = (1 - residual) * (fused @ before) + residual * before
    if rollout is None:
        raise ValueError("a trace has at least one layer")
    return read_only(rollout.astype(np.float32))


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
    settings = (head_fusion, residual, start_layer, discard)
    maps = list(_fused_layers(trace, kind, *settings))
    return read_only(_row(maps, query, residual))


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
    settings = (head_fusion, residual, start_layer, discard)
    maps = list(_fused_layers(trace, kind, *settings))
    return read_only(np.stack([_row(maps[: n + 1], query, residual) for n in range(len(maps))]))


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
    if n_discarded := int(discard * fused.size):
        smallest = np.argpartition(fused, n_discarded - 1, axis=None)[:n_discarded]
        fused = fused.copy()
        fused.flat[smallest] = 0
    sums = fused.sum(axis=1, keepdims=True)
    identity = np.eye(*fused.shape, dtype=np.float32)
    return np.divide(fused, sums, out=identity, where=sums > 0)


def _row(maps: list[np.ndarray], query: int, residual: float) -> np.ndarray:
    row = np.zeros(len(maps[0]), dtype=np.float32)
    row[query] = 1
    for fused in reversed(maps):
        row = (1 - residual) * (row @ fused) + residual * row
    return row.astype(np.float32)


def _fused_layers(
    trace: Trace,
    kind: AttentionKind | None,
    head_fusion: HeadFusion,
    residual: float,
    start_layer: int,
    discard: float,
) -> Iterator[np.ndarray]:
    """Each layer's fused map, from `start_layer` on."""
    _refuse_out_of_range(trace, kind, residual, start_layer, discard)
    size: tuple[int, ...] | None = None
    for index in range(start_layer, trace.n_layers(kind)):
        weights = trace.attention(index, kind=kind).weights
        if weights.shape[1] != weights.shape[2] or size not in (None, weights.shape[1:]):
            raise InputError(
                f"Layer {index} maps {weights.shape[1]} positions to {weights.shape[2]}: rollout "
                "multiplies square maps of one size. This model's layers see different grids."
            )
        size = weights.shape[1:]
        yield fuse_heads(weights, head_fusion=head_fusion, discard=discard)


def _refuse_out_of_range(
    trace: Trace,
    kind: AttentionKind | None,
    residual: float,
    start_layer: int,
    discard: float,
) -> None:
    if kind == AttentionKind.CROSS:
        raise InputError("Rollout follows self-attention; choose the encoder's or the decoder's.")
    if not 0 <= residual <= 1 or not 0 <= discard < 1:
        raise InputError(
            f"The residual's share is 0 to 1 and the discarded share 0 to below 1, not {residual} "
            f"and {discard}."
        )
    if not 0 <= start_layer < trace.n_layers(kind):
        raise InputError(f"Layers count from 0 to {trace.n_layers(kind) - 1}, not {start_layer}.")
