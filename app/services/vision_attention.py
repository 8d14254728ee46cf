"""The door to picture models' attention: one token's look in all layers, computed once for all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.services.vision import Picture, derived
from core.catalog import ModelCard
from core.engine import Request
from core.explain.attention.head_overview import HeadOverview
from core.explain.attention.patch_attention import (
    Direction,
    Look,
    look,
    same_place,
)
from core.explain.attention.patch_overview import look_overview
from core.outputs.vision import SeenPicture
from core.trace import PatchGrid, Trace

KEPT_MAPS: Final = 40_000_000  # bytes of a layer's maps that are kept between clicks


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """A trace, the request that it answers, and what the model saw."""

    card: ModelCard
    picture: Picture
    request: Request[Trace]
    trace: Trace
    seen: SeenPicture

    @property
    def grid(self) -> PatchGrid:
        return self.seen.grid

    @property
    def prefix(self) -> tuple[str, ...]:
        return self.seen.prefix


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """One token's look, layer by layer, and all of it at a glance."""

    layers: tuple[Look, ...]
    overview: HeadOverview

    @property
    def nbytes(self) -> int:
        return sum(look.nbytes for look in self.layers)


def looks(traced: Traced, token: int | None, direction: Direction) -> Looks:
    """A token's look in every layer; it counts on the picture's own grid, prefix tokens first."""

    def compute() -> Looks:
        layers = traced.trace.layers[traced.trace.kinds[0]]
        found = tuple(_layer_look(traced, index, token, direction) for index in range(len(layers)))
        return Looks(found, look_overview(found))

    return derived(traced.request, "looks", compute, token, direction)


def token_on(grid: PatchGrid, token: int | None, picture: PatchGrid) -> int | None:
    """The token of a layer's grid that stands at a token's place; None if there is none."""
    if token is None:
        return None
    if token < picture.prefix_tokens:
        return token if token < grid.prefix_tokens else None
    return grid.prefix_tokens + same_place(token - picture.prefix_tokens, picture, grid)


def _layer_look(traced: Traced, index: int, token: int | None, direction: Direction) -> Look:
    layer = traced.trace.attention(index)
    own = layer.query_grid if direction == "from" else layer.key_grid
    if own is None:
        raise ValueError("a picture model's layers have grids")
    place = token_on(own, token, traced.grid)
    if direction == "from" and place is not None:
        return look(layer, place)
    return look(layer, place, direction, weights=_maps(traced, index))


def _maps(traced: Traced, index: int) -> np.ndarray:
    """A layer's maps, kept unless they are huge."""
    layer = traced.trace.attention(index)
    if layer.query_grid is None or layer.key_grid is None:
        raise ValueError("a picture model's layers have grids")
    sizes = [g.n_tokens for g in (layer.query_grid, layer.key_grid)]
    if 4 * layer.n_heads * sizes[0] * sizes[1] > KEPT_MAPS:
        return layer.weights
    return derived(traced.request, "weights", lambda: layer.weights, index)


def largest(looks: Sequence[Look]) -> float:
    """The largest weight on a patch in any head of any layer: the top of a shared scale."""
    return max(float(one.patches.max(initial=0.0)) for one in looks)
