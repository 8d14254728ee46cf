"""Attention rollout as a film: what each token's row holds after every layer."""

import streamlit as st

from app import seeing, waiting
from app.plain import plain
from app.quiet_row import Export
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
    request, future = seeing.trace(chosen.card.id, chosen.picture)
    with st.container():  # a progress line in it moves nothing below
        trace = waiting.outcome(future, chosen.card.id)
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
