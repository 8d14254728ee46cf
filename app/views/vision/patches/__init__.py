"""What is a patch to the model? From pixels to a token; filters; tokens that stand out."""

import streamlit as st

from app.components.mount import Seeded
from app.components.picture_map import NOWHERE, PictureMap, picture_map, read_patch
from app.services import patch_embedding as door
from app.services import vision
from app.services.vision_attention import Traced
from app.ui import progress
from app.ui.export_bar import Export
from app.views.vision import state
from app.views.vision.inputs import Chosen, choose
from app.views.vision.patches import exports, params, words
from app.views.vision.patches.filter_tiles import draw_filters
from app.views.vision.patches.norms import draw_norms, layer_norms
from app.views.vision.patches.token_steps import Steps, draw_steps

LEAD = "The picture is cut into patches; each becomes one token. Click a patch and follow it."
PARAMS = params.PARAMS
PICTURE = f"{state.PAGE}.patches.picture"
TOKENS = f"{state.PAGE}.patches.tokens"
WIDTH = 430.0


def render() -> Export | None:
    """Input, the grid and one token beside it, filters, lengths."""
    chosen = choose()
    if chosen is None:
        return None
    embedding = progress.outcome(door.embedding(chosen.card.id, chosen.picture), chosen.card.id)
    request, future = vision.trace(chosen.card.id, chosen.picture)
    trace = progress.outcome(future, chosen.card.id)
    traced = None if trace is None else Traced(chosen.card, request, trace, chosen.seen)
    states = () if trace is None else trace.hidden_states()
    if embedding is None:
        _grid(chosen, params.token_of(chosen.seen.grid))
        return None
    steps = Steps(chosen.card.title, chosen.seen, embedding, states[0] if states else None)
    token = _clicked(chosen)
    left, right = st.columns([5, 7], gap="large")
    with left:
        _choose_prefix(chosen, token)
        _grid(chosen, token)
    with right:
        strip = draw_steps(steps, token)
    shown = draw_filters(chosen.card, embedding)
    norms = () if traced is None else layer_norms(traced)
    if traced is not None and norms:
        draw_norms(traced, norms)
    words.about(steps)
    return exports.export(steps, token, strip, shown, norms)


def _clicked(chosen: Chosen) -> int:
    """The token that is followed, with a click of this run."""
    grid = chosen.seen.grid
    token, first = params.token_of(grid), len(chosen.seen.prefix)
    wanted = NOWHERE if token < first else token - first
    n_patches = grid.n_patches
    patch = Seeded(PICTURE, "patch", wanted, lambda told: read_patch(told, n_patches)).choice
    if patch != wanted:
        state.put(params.TOKEN, params.BEST if patch == NOWHERE else first + patch)
    return params.token_of(grid)


def _choose_prefix(chosen: Chosen, token: int) -> None:
    """[CLS] and its like as chips; none is lit while a patch is chosen."""
    prefix = chosen.seen.prefix
    if not prefix:
        st.caption("This model has no class or register tokens: patches are all it has.")
        return
    st.session_state[TOKENS] = token if token < len(prefix) else None
    st.pills(
        "Click a patch, or choose a token that is none",
        range(len(prefix)),
        format_func=prefix.__getitem__,
        key=TOKENS,
        on_change=_take_prefix,
    )


def _take_prefix() -> None:
    chosen = st.session_state[TOKENS]
    state.put(params.TOKEN, params.BEST if chosen is None else chosen)


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
