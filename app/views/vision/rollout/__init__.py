"""Attention rollout as a film: what each token's row holds after every layer."""

import streamlit as st

from app.services import vision
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.export_bar import Export
from app.views.vision import inputs
from app.views.vision.rollout import controls, film, flow, maps
from app.views.vision.rollout.words import about
from core.errors import InputError

LEAD = (
    "Each layer mixes what the one before it mixed. Multiply all layers' maps, and see from which "
    "patches a token's information came: play the layers, or click any patch."
)
PARAMS = controls.PARAMS


def render() -> Export | None:
    """Input, settings, the film, the masses by layer, the flow beside it."""
    chosen = inputs.choose()
    if chosen is None:
        return None
    request, future = vision.trace(chosen.card.id, chosen.picture)
    with st.container():  # a progress line in it moves nothing below
        trace = progress.outcome(future, chosen.card.id)
    if trace is None:
        st.caption("Choose another model above.")
        return None
    settings, at = controls.draw(chosen, trace)
    try:
        stack = maps.fused(request, trace, settings)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    shown = film.render(chosen, trace, stack, at)
    flow.render(chosen, stack, shown)
    about()
    return shown.export
