"""Each layer's heads as one map, computed once for all who look at a picture."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from jaxtyping import Float32

from app.services import vision
from app.services.vision import Request
from app.views.vision.rollout.controls import Settings
from core.errors import InputError
from core.explain.flow.patch_pooling import pool_patches
from core.explain.flow.rollout import (
    attention_pool_row,
    film_of_maps,
    mean_of_patches,
    one_hot,
)
from core.explain.flow.stage_rollout import film_of_stages, fused_stages
from core.explain.flow.stages import merge_map
from core.trace import PatchGrid, Trace

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """The fused maps of all layers from the first on, and where the row begins."""

    request: Request
    settings: Settings
    maps: tuple[np.ndarray, ...]  # (position, position), the first layer first
    grids: tuple[PatchGrid, ...]  # of each layer: several where stages merge patches (Swin)
    pool: np.ndarray | None  # (position,): where an attention pool looks

    @property
    def grid(self) -> PatchGrid:
        """The first layer's, on which the film is shown."""
        return self.grids[0]

    @property
    def is_staged(self) -> bool:
        return len(set(self.grids)) > 1

    def start(self) -> Float32[np.ndarray, " position"]:
        """Where the row begins, on the first grid."""
        if self.settings.origin == "pool" and self.pool is not None:
            return self.pool
        if self.settings.origin == "token":
            size = self.grid.n_tokens
            return one_hot(size, self.settings.token)
        return mean_of_patches(self.grid)

    def film(self) -> Float32[np.ndarray, "frame position"]:
        """The row before the first layer and after each."""
        residual = self.settings.residual
        if not self.is_staged:
            return self.derived(
                "rollout-film", lambda: film_of_maps(self.maps, self.start(), residual=residual)
            )
        patch = self.settings.token if self.settings.origin == "token" else None
        return self.derived(
            "rollout-film",
            lambda: film_of_stages(self.maps, self.grids, patch, residual=residual),
        )

    def pooled(self, side: int) -> tuple[list[np.ndarray], PatchGrid]:
        """The maps with patches pooled to at most `side` a side, all on one grid."""
        last = self.grids[-1]
        merged = [
            fused if grid == last else merge_map(fused, grid, last)
            for fused, grid in zip(self.maps, self.grids, strict=True)
        ]
        factor = -(-max(last.rows, last.columns) // side)
        pooled = [pool_patches(fused[None], last, factor=factor) for fused in merged]
        return [fused[0] for fused, _ in pooled], pooled[0][1]

    def derived(self, name: str, compute: Callable[[], Value]) -> Value:
        """What follows from the maps and the settings, computed once."""
        return vision.derived(self.request, name, compute, self.settings)

    def arrays(self) -> Mapping[str, np.ndarray]:
        """The maps, for NPZ."""
        return {f"map_{self.settings.start + n}": fused for n, fused in enumerate(self.maps)}


def per_head(trace: Trace, start: int) -> Mapping[str, np.ndarray]:
    """What was fused, layer by layer: (head, query, key).

    Of shifted windows: (window, head, query, key), and the positions that each window holds.
    """
    arrays: dict[str, np.ndarray] = {}
    for index in range(start, trace.n_layers()):
        layer = trace.attention(index)
        if layer.windows is None:
            arrays[f"heads_{index}"] = layer.weights
        else:
            arrays[f"windows_{index}"] = layer.windows.weights
            arrays[f"window_positions_{index}"] = layer.windows.index
    return arrays


def fused(request: Request, trace: Trace, settings: Settings) -> Stack:
    """Raises InputError where a model's layers can't be multiplied."""
    if trace.patches is None:
        raise InputError("This model cuts its picture into no patches.")

    def compute() -> tuple[tuple[np.ndarray, ...], tuple[PatchGrid, ...]]:
        return fused_stages(
            trace,
            head_fusion=settings.fusion,
            start_layer=settings.start,
            discard=settings.discard,
        )

    asked = (settings.fusion, settings.start, settings.discard)
    maps, grids = vision.derived(request, "fused-maps", compute, *asked)
    pool = attention_pool_row(trace, head_fusion=settings.fusion)
    return Stack(request, settings, maps, grids, pool)
