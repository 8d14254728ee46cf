"""Attention from scratch: from a table of numbers to a real head, in six parts."""

import streamlit as st

from app.views.blocks.attention import worked
from app.views.blocks.attention.state import PARAMS, PART, PARTS
from app.views.blocks.exports import Export
from app.views.blocks.state import get, key

__all__ = ["LEAD", "PARAMS", "render"]

LEAD = ""  # every part has its own
LEADS = {
    "steps": "Queries meet keys, the softmax shares out, values are mixed. Change any number.",
}
BODIES = {"steps": worked.render}


def render() -> Export | None:
    """The parts, and the chosen one."""
    st.segmented_control(
        "Part",
        list(BODIES),
        format_func=PARTS.__getitem__,
        key=key(PART),
        required=True,
        label_visibility="collapsed",
    )
    part = get(PART)
    with st.container(key="lead"):
        st.markdown(LEADS[part])
    return BODIES[part]()
