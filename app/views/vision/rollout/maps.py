"""Each layer's heads as one map, computed once for all who look at a picture."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float32

from app import seeing
from app.views.vision.rollout.controls import Settings
from core.engine import Request
from core.errors import InputError
from core.explain.rollout import film_of_maps, fused_maps, mean_of_patches, one_hot, pool_row
from core.trace import PatchGrid, Trace


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """The fused maps of all layers on one grid of patches."""

    request: Request
    settings: Settings
    maps: tuple[np.ndarray, ...]  # (position, position), the first layer first
    grid: PatchGrid
    start: np.ndarray  # (position,): where the row begins

    def film(self) -> Float32[np.ndarray, "frame position"]:
        """The row before the first layer and after each."""
        return self.derived(
            "rollout-film",
            lambda: film_of_maps(self.maps, self.start, residual=self.settings.residual),
        )

    def derived(self, name: str, compute: Callable[[], Any]) -> Any:
        """What follows from the maps and the settings, computed once."""
        return seeing.derived(self.request, name, compute, self.settings)


def fused(request: Request, trace: Trace, settings: Settings) -> Stack:
    """Raises InputError where a model's layers can't be multiplied."""
    if trace.patches is None:
        raise InputError("This model cuts its picture into no patches.")
    maps: tuple[np.ndarray, ...] = seeing.derived(
        request,
        "fused-maps",
        lambda: fused_maps(
            trace,
            head_fusion=settings.fusion,
            start_layer=settings.start,
            discard=settings.discard,
        ),
        settings.fusion,
        settings.start,
        settings.discard,
    )
    return Stack(request, settings, maps, trace.patches, _start(trace, trace.patches, settings))


def _start(trace: Trace, grid: PatchGrid, settings: Settings) -> np.ndarray:
    if settings.origin == "mean":
        return mean_of_patches(grid)
    if settings.origin == "pool":
        row = pool_row(trace, head_fusion=settings.fusion)
        return mean_of_patches(grid) if row is None else row
    return one_hot(grid.prefix_tokens + grid.rows * grid.columns, settings.token)
