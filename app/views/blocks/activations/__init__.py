"""Activations: the curves, GELU as expected dropout, and feed-forward blocks with a gate."""

from typing import Final

import streamlit as st

from app.ui import params
from app.ui.export_bar import Export
from app.views.blocks.activations import curves, dropout, gates
from app.views.blocks.parts import choose_part

LEAD: Final = ""  # every part has its own
PARTS: Final = {
    "curves": "Curves and slopes",
    "dropout": "GELU as expected dropout",
    "gates": "With a gate: SwiGLU, GeGLU",
}
LEADS: Final = {
    "curves": "What does a feed-forward network let through, and with which slope?",
    "dropout": "Keep an input with probability Φ(x), else put zero. What comes out on average?",
    "gates": "One projection decides how far the other may pass. What does a gate add?",
}
BODIES: Final = {"curves": curves.render, "dropout": dropout.render, "gates": gates.render}
PART: Final = params.choice("act", list(PARTS))
PARAMS: Final = (PART, *curves.PARAMS, *dropout.PARAMS, *gates.PARAMS)


def render() -> Export | None:
    """The parts, and the chosen one."""
    part = choose_part(PART, PARTS)
    with st.container(key="lead"):
        st.markdown(LEADS[part])
    return BODIES[part]()
