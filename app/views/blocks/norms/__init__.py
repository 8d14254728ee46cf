"""Normalisation: of one vector, and where in the block it stands."""

from typing import Final

import streamlit as st

from app.ui import params
from app.ui.export_bar import Export
from app.views.blocks.norms import depth, vectors
from app.views.blocks.parts import choose_part

LEAD: Final = ""  # every part has its own
PARTS: Final = {"depth": "Where the norm stands", "vectors": "On a real vector"}
LEADS: Final = {
    "depth": "Before the sublayer, after it, or both? How large is the gradient in each layer?",
    "vectors": "What do LayerNorm, RMSNorm and DeepNorm make of a token of your sentence?",
}
BODIES: Final = {"depth": depth.render, "vectors": vectors.render}
PART: Final = params.choice("norm", list(PARTS))
PARAMS: Final = (PART, *depth.PARAMS, *vectors.PARAMS)


def render() -> Export | None:
    """The parts, and the chosen one."""
    part = choose_part(PART, PARTS)
    with st.container(key="lead"):
        st.markdown(LEADS[part])
    return BODIES[part]()
