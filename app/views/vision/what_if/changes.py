"""The reader's changes: patches painted away, heads silenced, positions moved or dropped."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_paint
from app.services import vision
from app.style.markdown_escape import plain
from app.ui.heads_line import heads_line
from app.ui.progress import READER_ERRORS
from app.views.vision import masks
from app.views.vision.inputs import Chosen
from app.views.vision.what_if import params
from core.interventions import (
    DropPositions,
    HidePatches,
    Intervention,
    PermutePositions,
    PositionChange,
    SilenceHead,
)
from core.positions import order_of

PAINT: Final = params.HERE.key("paint")
WIDTH: Final = 380.0  # px


@dataclass(frozen=True)
class Changes:
    """What the model is run with."""

    hidden: masks.Hidden
    heads: tuple[tuple[int, int], ...]
    positions: str  # kept, shuffled or dropped
    interventions: tuple[Intervention, ...]

    @property
    def words(self) -> str:
        """In one line, for captions."""
        count = len(self.hidden)
        parts = [f"{count} patch{'es' * (count > 1)} hidden"] * bool(count)
        parts += [f"layer {layer} head {head} silenced" for layer, head in self.heads]
        if self.positions != "kept":
            parts.append(f"positions {params.POSITIONS.names[self.positions]}")
        return ", ".join(parts) or "nothing changed"

    def with_positions_kept(self) -> "Changes":
        """The same, positions as trained."""
        others = tuple(
            change for change in self.interventions if not isinstance(change, PositionChange)
        )
        return replace(self, positions="kept", interventions=others)


def paint(chosen: Chosen) -> PictureMap:
    """The picture as the model saw it; dragging hides patches."""
    grid = chosen.seen.grid
    hidden = masks.on_grid(params.HIDDEN.value, grid)
    mask = np.zeros(grid.n_patches, dtype=bool)
    mask[list(hidden)] = True
    figure = PictureMap(
        picture=chosen.seen.picture,
        rows=grid.rows,
        columns=grid.columns,
        label="The picture: drag over patches to hide them, drag over hidden ones to show them",
        caption=f"{chosen.card.title}, {chosen.picture.name}, {len(hidden)} patches hidden",
        hidden=mask.reshape(grid.rows, grid.columns),
        width=WIDTH,
    )
    painted = picture_paint(figure, key=PAINT, painted=frozenset(hidden))
    params.HIDDEN.put((grid.rows, grid.columns, tuple(sorted(painted))))
    with st.container(horizontal=True, gap="small"):
        for name, pattern in masks.PATTERNS.items():
            st.button(
                name,
                key=params.HERE.key(f"pattern.{name}"),
                type="tertiary",
                on_click=params.HIDDEN.put,
                args=((grid.rows, grid.columns, pattern(grid)),),
                help="Hide these patches, and show all others.",
            )
    return figure


def choose(chosen: Chosen, offered: tuple[tuple[int, int], ...], why_none: str) -> Changes:
    """The controls of heads and positions, and all changes together."""
    params.HEADS.among(offered)
    left, right = st.columns([5, 4], vertical_alignment="top")
    with left:
        if offered:
            counts = [
                sum(place[0] == layer for place in offered)
                for layer in range(1 + max(layer for layer, _ in offered))
            ]
            heads_line(params.HEADS, counts, "Silence heads")
        else:
            st.caption(plain(why_none))
    with right:
        params.POSITIONS.segmented(
            "Positions",
            help="Shuffled: each patch gets another patch's position. Dropped: none has any.",
        )
        if params.POSITIONS.value == "shuffled":
            params.SEED.slider("Draw")
    return _together(chosen)


def heads_of(chosen: Chosen) -> tuple[tuple[tuple[int, int], ...], str]:
    """Every (layer, head) of a model, or none and the reason."""
    _, future = vision.trace(chosen.card.id, chosen.picture)
    try:
        trace = future.result()
    except READER_ERRORS as error:
        return (), str(error)
    counts = [trace.n_heads(layer=layer) for layer in range(trace.n_layers())]
    return tuple((layer, head) for layer, n in enumerate(counts) for head in range(n)), ""


def _together(chosen: Chosen) -> Changes:
    grid = chosen.seen.grid
    hidden = masks.within(masks.on_grid(params.HIDDEN.value, grid), grid)
    heads = params.HEADS.value
    positions = params.POSITIONS.value
    made: list[Intervention] = [HidePatches(hidden)] if hidden else []
    made += [SilenceHead(layer, head) for layer, head in heads]
    if positions == "dropped":
        made.append(DropPositions())
    if positions == "shuffled":
        made.append(PermutePositions(order_of(grid.n_patches, params.SEED.value)))
    return Changes(hidden, heads, positions, tuple(made))
