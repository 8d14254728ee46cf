"""From a forward's attention calls to the layers of a trace, each with its true grids.

Rows of a map are queries on `query_grid`, columns keys on `key_grid`: they differ where keys are
pooled (PVT) and between stages. A family whose calls are no maps over patches is declined with
the reason; `refused_family` knows those that would else look right.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isqrt
from typing import Any, Final

from torch import Tensor, nn

from core.capture.attention_call import AttentionCall
from core.errors import InputError
from core.trace import AttentionLayer, PatchGrid

DECLINED: Final = {  # a module's class: why its maps aren't maps over patches
    "XCA": "attends over channels, not over patches",
    "ChannelAttention": "attends over channels in every other block, not over patches",
    "ChannelAttentionV2": "attends over channels in every other block, not over patches",
    "TalkingHeadAttn": "mixes its heads again after the softmax, so no head has a map of its own",
    "PartitionAttentionCl": "attends within blocks and along grids, which aren't put together here",
    "PartitionAttention2d": "attends within blocks and along grids, which aren't put together here",
    "DiffAttention": "subtracts one map from another, so its rows are no shares that sum to one",
}


def layers_of(
    title: str,
    module: nn.Module,
    calls: Sequence[AttentionCall],
    patches: PatchGrid | None,
    *,
    rows: int,
) -> list[tuple[AttentionLayer, ...]]:
    """The attention of a forward of `rows` pictures: of each, in layer order.

    Raises InputError without maps.
    """
    refuse_family(title, module)
    if not calls:
        raise without_maps(title, module)
    if patches is None:
        raise InputError(f"{title} cuts its picture into no patches that maps could be laid on.")
    shared: list[dict[int, Any]] = [{} for _ in range(rows)]
    by_call = [_layers(title, call, patches, shared) for call in calls]
    return [tuple(layers[row] for layers in by_call) for row in range(rows)]


def without_maps(title: str, module: nn.Module) -> InputError:
    """Why a model that gives no maps, or cuts no patches, can't be shown."""
    refuse_family(title, module)
    return InputError(
        f"{title} makes no attention map over patches: nothing in it looks from one patch to "
        "another by weights that could be shown. Choose a ViT or a Swin."
    )


def refuse_family(title: str, module: nn.Module) -> None:
    """Raises InputError for a family whose calls only look like maps over patches."""
    found = next((name for name in map(_class, module.modules()) if name in DECLINED), None)
    if found is not None:
        raise InputError(
            f"{title} {DECLINED[found]}. Its classes can be asked, its maps can't be shown; "
            "choose a ViT or a Swin."
        )


def grid_of(tokens: int, patches: PatchGrid) -> PatchGrid | None:
    """The grid of a layer with so many tokens: the picture's, or one pooled from it, else None."""
    if tokens == patches.n_tokens:
        return patches
    for prefix in dict.fromkeys((patches.prefix_tokens, 0)):
        # rows : columns stays as it is when a grid is pooled alike in both directions
        rows = isqrt(max(0, tokens - prefix) * patches.rows // patches.columns)
        if rows and rows * rows * patches.columns == (tokens - prefix) * patches.rows:
            return PatchGrid(rows, (tokens - prefix) // rows, prefix)
    return None


def _layers(
    title: str, call: AttentionCall, patches: PatchGrid, shared: Sequence[dict[int, Any]]
) -> list[AttentionLayer]:
    """One layer, of every picture of the batch."""
    if call.windows is not None:
        return [call.layer_of(row, memo) for row, memo in enumerate(shared)]
    batch, queries, keys = _shape(call)
    if batch != len(shared):
        raise InputError(
            f"{title} attends within {batch // len(shared)} windows a picture; only Swin's "
            "windows can be put together to a map of the picture. Choose a ViT or a Swin."
        )
    query_grid, key_grid = grid_of(queries, patches), grid_of(keys, patches)
    if query_grid is None or key_grid is None:
        raise InputError(
            f"{title}, layer {call.layer}: {queries} queries and {keys} keys lie on no grid of "
            f"{patches.rows} × {patches.columns} patches, so the map can't be laid on the picture."
        )
    return [
        replace(call.layer_of(row, memo), query_grid=query_grid, key_grid=key_grid)
        for row, memo in enumerate(shared)
    ]


def _shape(call: AttentionCall) -> tuple[int, int, int]:
    """(batch, queries, keys) of a call."""
    if call.weights is not None:
        return call.weights.shape[0], call.weights.shape[2], call.weights.shape[3]
    if not isinstance(call.queries, Tensor) or not isinstance(call.keys, Tensor):
        raise ValueError(f"layer {call.layer} has neither queries nor weights")
    return call.queries.shape[0], call.queries.shape[2], call.keys.shape[2]


def _class(module: nn.Module) -> str:
    return type(module).__name__
