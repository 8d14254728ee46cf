"""Attention rollout as a film: what each token's row holds after every layer."""

from functools import partial
from typing import Final

import streamlit as st

from app.services import vision
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.export_bar import Export
from app.ui.page import Drawn, View
from app.views.vision.inputs import Chosen, choose, display
from app.views.vision.own_film import shots_of
from app.views.vision.rollout import controls, film, flow, maps, shots
from app.views.vision.state import SHARED
from core.errors import InputError


def render() -> Drawn:
    """Input, then what follows from it."""
    chosen = choose()
    return None if chosen is None else partial(_figure, chosen)


def _figure(chosen: Chosen) -> Export | None:
    """Settings, the film, the masses by layer, the flow beside it."""
    request, future = vision.trace(chosen.card.id, chosen.picture)
    with st.container():  # a progress line in it moves nothing below
        trace = progress.outcome(future, chosen.card.id)
    if trace is None:
        st.caption("Choose another model above.")
        return None
    frames = shots_of(chosen)
    settings, at = controls.draw(chosen, trace, len(frames))
    if frames and controls.OF.value == "frames":
        return shots.render(chosen, frames, settings, at)
    try:
        stack = maps.fused(request, trace, settings)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    shown = film.render(chosen, trace, stack, at)
    flow.render(chosen, stack, shown)
    return shown.export


VIEW: Final = View("rollout", "Rollout", (*SHARED, *controls.PARAMS), render, display)
