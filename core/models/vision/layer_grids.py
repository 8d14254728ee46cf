"""From a forward's attention calls to the layers of a trace, each with its true grids.

Rows of a map are queries on `query_grid`, columns keys on `key_grid`: they differ where keys are
pooled (PVT) and between stages.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isqrt

from torch import nn

from core.capture.attention_call import AttentionCall
from core.capture.fitting_layers import layers_by_row, refuse_declined
from core.catalog import ModelCard
from core.errors import InputError
from core.trace import AttentionKind, AttentionLayer, PatchGrid


def layers_of(
    card: ModelCard,
    module: nn.Module,
    calls: Sequence[AttentionCall],
    patches: PatchGrid | None,
    *,
    rows: int,
) -> list[tuple[AttentionLayer, ...]]:
    """The attention of a forward of `rows` pictures: of each, in layer order.

    Raises InputError without maps.
    """
    if not calls:
        raise without_maps(card.title, module)
    promised = {AttentionKind.ENCODER: card.layers}
    by_row = layers_by_row(card.title, module, calls, promised, rows=rows)
    if patches is None:
        raise InputError(
            f"{card.title} doesn't cut its picture into patches once and for all, so its maps "
            "can't be laid on the picture. Choose a ViT or a Swin."
        )
    return [
        tuple(_laid(card.title, layer, patches) for layer in layers[AttentionKind.ENCODER])
        for layers in by_row
    ]


def attending(module: nn.Module) -> list[str]:
    """The paths of the modules that attend, in order: timm tells them by their heads."""
    heads = [path for path, part in module.named_modules() if hasattr(part, "num_heads")]
    innermost = [path for path in heads if not any(o.startswith(f"{path}.") for o in heads)]
    return [path for path in innermost if path and "pool" not in path]


def without_maps(title: str, module: nn.Module) -> InputError:
    """Why a model that gives no maps, or cuts no patches, can't be shown."""
    refuse_declined(title, module)
    return InputError(
        f"{title} makes no attention map over patches: nothing in it looks from one patch to "
        "another by weights that could be shown. Choose a ViT or a Swin."
    )


def grid_of(tokens: int, patches: PatchGrid) -> PatchGrid | None:
    """The grid of a layer with so many tokens: the picture's, or one pooled from it, else None."""
    if tokens == patches.n_tokens:
        return patches
    prefix = patches.prefix_tokens
    # rows : columns stays as it is when a grid is pooled alike in both directions
    rows = isqrt(max(0, tokens - prefix) * patches.rows // patches.columns)
    if rows and rows * rows * patches.columns == (tokens - prefix) * patches.rows:
        return PatchGrid(rows, (tokens - prefix) // rows, prefix)
    return None


def _laid(title: str, layer: AttentionLayer, patches: PatchGrid) -> AttentionLayer:
    if layer.windows is not None:
        return layer
    queries, keys = layer.map_shape
    query_grid, key_grid = grid_of(queries, patches), grid_of(keys, patches)
    if query_grid is None or key_grid is None:
        raise InputError(
            f"{title}, layer {layer.index}: {queries} queries and {keys} keys lie on no grid of "
            f"{patches.rows} × {patches.columns} patches, so the map can't be laid on the picture. "
            "Choose a ViT or a Swin."
        )
    return replace(layer, query_grid=query_grid, key_grid=key_grid)
