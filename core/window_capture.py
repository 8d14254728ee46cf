"""Attention in windows, as the interceptor meets it: all windows of a picture as one batch.

Row r of a batch of pictures is rows r · n_windows to (r + 1) · n_windows of the call. Here such
rows become one layer over the whole picture, and a change to the picture's map becomes changes
to its windows.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from core.errors import InputError
from core.interventions import AttentionChange, BlockEdge, PatchHead, ReplaceWeights
from core.trace import ROW_SUM_TOLERANCE, AttentionKind, AttentionLayer, PatchGrid, read_only
from core.windows import WindowPartition, Windows, gather, in_picture_order, spread


class WindowedCall(Protocol):
    """What is asked of an intercepted call (`core.capture.AttentionCall`)."""

    @property
    def kind(self) -> AttentionKind: ...
    @property
    def layer(self) -> int: ...
    @property
    def scale(self) -> float: ...
    @property
    def queries(self) -> Tensor | None: ...
    @property
    def keys(self) -> Tensor | None: ...
    @property
    def values(self) -> Tensor | None: ...
    @property
    def bias(self) -> Tensor | None: ...
    @property
    def weights(self) -> Tensor | None: ...
    @property
    def gradients(self) -> Tensor | None: ...


def windowed_layer(call: WindowedCall, partition: WindowPartition, row: int) -> AttentionLayer:
    """The trace of one picture of the batch: its windows, and everything in the picture's order."""
    n_windows = partition.n_windows
    rows = slice(row * n_windows, (row + 1) * n_windows)
    bias = None
    if call.bias is not None:
        bias = call.bias if call.bias.shape[0] == 1 else call.bias[rows]
    weights = None if call.weights is None else call.weights[rows]
    if weights is None:
        if call.queries is None or call.keys is None:
            raise ValueError(f"layer {call.layer} has neither scores nor recorded weights")
        scores = call.queries[rows] @ call.keys[rows].mT * call.scale
        weights = (scores if bias is None else scores + bias).softmax(-1)
    sums = weights.sum(-1)
    if not torch.allclose(sums, torch.ones_like(sums), atol=ROW_SUM_TOLERANCE):
        raise ValueError(f"layer {call.layer}: a row of weights does not sum to one")

    def ordered(vectors: Tensor | None) -> np.ndarray | None:
        return None if vectors is None else in_picture_order(_array(vectors[rows]), partition.index)

    gradients = None if call.gradients is None else _array(call.gradients[rows])
    grid = PatchGrid(partition.rows, partition.columns, 0)
    return AttentionLayer(
        index=call.layer,
        kind=call.kind,
        scale=call.scale,
        queries=ordered(call.queries),
        grouped_keys=ordered(call.keys),
        grouped_values=ordered(call.values),
        gradients=None if gradients is None else spread(gradients, partition.index),
        query_grid=grid,
        key_grid=grid,
        windows=Windows(_array(weights), partition, None if bias is None else _array(bias)),
    )


def in_windows(
    acting: Sequence[tuple[int, AttentionChange]], partition: WindowPartition
) -> list[tuple[int, AttentionChange]]:
    """Changes to pictures of a batch, as changes to rows of the call: to every window concerned.

    Queries, keys and positions of a change count the picture's patches. An edge between two
    windows is blocked by the windows already.
    """
    return [
        (row * partition.n_windows + window, part)
        for row, change in acting
        for window, part in _parts(change, partition)
    ]


def _parts(
    change: AttentionChange, partition: WindowPartition
) -> list[tuple[int, AttentionChange]]:
    match change:
        case BlockEdge():
            window, query = partition.place_of(change.query)
            other, key = partition.place_of(change.key)
            return [(window, replace(change, query=query, key=key))] if window == other else []
        case PatchHead():
            window, position = partition.place_of(change.position)
            return [(window, replace(change, position=position))]
        case ReplaceWeights():
            maps = _maps_of(change, partition)
            return [(window, replace(change, weights=each)) for window, each in enumerate(maps)]
        case _:
            return [(window, change) for window in range(partition.n_windows)]


def _maps_of(change: ReplaceWeights, partition: WindowPartition) -> np.ndarray:
    expected = (partition.n_patches, partition.n_patches)
    if change.weights.shape != expected:
        raise InputError(
            f"Replacement weights are {change.weights.shape} (query, key), but this layer's map is "
            f"{expected}: over all patches of the picture."
        )
    maps = gather(change.weights, partition.index)
    outside = change.weights.sum() - maps.sum()
    if abs(outside) > ROW_SUM_TOLERANCE:
        raise InputError(
            f"Replacement weights lay {outside:.3g} of their sum between windows, where this layer "
            "can't look. Give weights within its windows (`layer.windows.index`)."
        )
    return maps


def _array(tensor: Tensor) -> np.ndarray:
    return read_only(tensor.detach().float().cpu().numpy())
