"""What is a patch to the model? From pixels to a token; filters; tokens that stand out."""

from functools import partial
from typing import Final, cast

import streamlit as st

from app.components.picture_map import PictureMap, picture_map, selected_patch
from app.services import patch_embedding as door
from app.services import vision
from app.services.vision_attention import Traced
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.options import WIDGET, option_widget
from app.ui.page import Drawn, View
from app.views.vision.inputs import Chosen, choose, display
from app.views.vision.patches import exports, params
from app.views.vision.patches.filter_tiles import draw_filters
from app.views.vision.patches.norms import draw_norms, layer_norms
from app.views.vision.patches.path import draw_path
from app.views.vision.patches.steps import Steps
from app.views.vision.patches.token_steps import answered, draw_steps
from app.views.vision.state import SHARED

PICTURE: Final = params.HERE.key("picture")
WIDTH: Final = 430.0


def render() -> Drawn:
    """Input, then what follows from it."""
    chosen = choose()
    return None if chosen is None else partial(_figure, chosen)


def _figure(chosen: Chosen) -> Export | None:
    """The grid and one token beside it, filters, lengths."""
    embedding = progress.outcome(door.embedding(chosen.card.id, chosen.picture), chosen.card.id)
    request, future = vision.trace(chosen.card.id, chosen.picture)
    trace = progress.outcome(future, chosen.card.id)
    traced = (
        None if trace is None else Traced(chosen.card, chosen.picture, request, trace, chosen.seen)
    )
    states = () if trace is None else trace.hidden_states()
    if embedding is None:
        _grid(chosen, params.token_of(chosen.seen.grid))
        return None
    steps = Steps(chosen.card.title, chosen.seen, embedding, states[0] if states else None)
    token = _clicked(chosen)
    said = answer()
    left, right = st.columns([5, 7], gap="large")
    with left:
        _choose_prefix(chosen, token)
        _grid(chosen, token)
    with right:
        strip = draw_steps(steps, token)
    said.markdown(answered(steps, token))
    path = None if traced is None else draw_path(chosen, traced, steps, token)
    shown = draw_filters(chosen.card, embedding)
    norms = () if traced is None else layer_norms(traced)
    coloured = draw_norms(traced, norms) if traced is not None and norms else None
    return exports.export(steps, token, strip, shown, norms, path, coloured)


def _clicked(chosen: Chosen) -> int:
    """The token that is followed, with a click of this run."""
    grid = chosen.seen.grid
    token, first = params.token_of(grid), len(chosen.seen.prefix)
    wanted = None if token < first else token - first
    patch = selected_patch(PICTURE, wanted, grid.n_patches)
    if patch != wanted:
        params.TOKEN.put(params.BEST if patch is None else first + patch)
    return params.token_of(grid)


def _choose_prefix(chosen: Chosen, token: int) -> None:
    """[CLS] and its like as chips; none is lit while a patch is chosen."""
    prefix = chosen.seen.prefix
    if not prefix:
        st.caption("This model has no class or register tokens: patches are all it has.")
        return
    with controls():
        option_widget(
            st.pills,
            "Click a patch, or",
            range(len(prefix)),
            prefix.__getitem__,
            key=params.TOKEN.key + WIDGET,
            shown=token if token < len(prefix) else None,
            take=lambda value: params.TOKEN.put(
                params.BEST if value is None else cast("int", value)
            ),
        )


def _grid(chosen: Chosen, token: int) -> None:
    """The picture as the model saw it, with its patches."""
    grid, first = chosen.seen.grid, len(chosen.seen.prefix)
    high, wide = chosen.seen.patch_pixels
    size = " × ".join(map(str, chosen.seen.picture.shape[:2]))
    label = f"{chosen.card.title}: {size} pixels in {grid.rows} × {grid.columns} patches"
    picture_map(
        PictureMap(
            picture=chosen.seen.picture,
            rows=grid.rows,
            columns=grid.columns,
            label=label,
            caption=f"{label} of {high} × {wide}",
            width=WIDTH,
            title=f"{grid.rows} × {grid.columns} patches of {high} × {wide} pixels",
        ),
        key=PICTURE,
        selected=None if token < first else token - first,
    )
    st.caption(f"Exactly what the model saw: {size} pixels, resized and cropped.")


VIEW: Final = View("patches", "Patches", (*SHARED, *params.PARAMS), render, display)
