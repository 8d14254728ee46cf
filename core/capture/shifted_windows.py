"""Attention in windows, as the interceptor meets it: all windows of a picture as one batch.

Row r of a batch of pictures is rows r · n_windows to (r + 1) · n_windows of the call. Here the
block that cut the windows is found, and a change to the picture's map becomes changes to its
windows; `core.capture.attention_call` makes one layer of them again.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from torch import nn

from core.errors import InputError
from core.interventions import AttentionChange, BlockEdge, PatchHead, ReplaceWeights, ZeroValue
from core.trace import ROW_SUM_TOLERANCE
from core.trace.windows import WindowPartition, gather


def calling_partition(paths: Mapping[int, str]) -> WindowPartition | None:
    """How the block that is at work cut its picture into windows; None for other models.

    Swin, Swin v2 and its CR variant keep window, shift and grid beside their attention;
    transformers' are told the grid at every call.
    `paths` names the modules; the search ends at the whole model.
    """
    frame: Any = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        block = frame.f_locals.get("self")
        if paths.get(id(block)) == "":
            return None
        shift = vars(block).get("shift_size") if isinstance(block, nn.Module) else None
        if isinstance(shift, int) and (grid := frame.f_locals.get("input_dimensions")):
            side = int(getattr(block, "window_size", 0))
            return WindowPartition(int(grid[0]), int(grid[1]), (side, side), (shift, shift))
        if isinstance(shift, tuple):
            of_block: Any = block
            rows, columns = getattr(block, "input_resolution", None) or of_block.feat_size
            high, wide = of_block.window_size
            return WindowPartition(int(rows), int(columns), (high, wide), (shift[0], shift[1]))
        frame = frame.f_back
    return None


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
        case PatchHead() | ZeroValue():
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
