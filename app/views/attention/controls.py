"""The Display popover: the rarely used controls of the attention figure."""

import streamlit as st

from app.ui import projector
from app.views.attention import state

LAYOUTS = {"both": "lines and heatmap", "lines": "lines", "heatmap": "heatmap"}
DIRECTIONS = {"from": "from: query → key", "to": "to: key → query"}


def display_popover() -> None:
    """Every choice is part of the link."""
    with st.popover("Display", icon=":material/tune:", width="content"):
        st.segmented_control(
            "Show",
            list(LAYOUTS),
            format_func=LAYOUTS.__getitem__,
            key=state.key(state.LAYOUT),
            required=True,
        )
        st.segmented_control(
            "A token's attention",
            list(DIRECTIONS),
            format_func=DIRECTIONS.__getitem__,
            key=state.key(state.DIRECTION),
            required=True,
            help="From: where a token looks (its row). To: who looks at it (its column).",
        )
        st.segmented_control(
            "Colour scale", ["linear", "sqrt", "log"], key=state.key(state.SCALE), required=True
        )
        st.toggle("One scale for all heads", key=state.key(state.SHARED))
        st.slider("Lines from this weight on", 0.0, 1.0, step=0.01, key=state.key(state.THRESHOLD))
        st.slider("Strongest lines a token (0: all)", 0, 20, step=1, key=state.key(state.TOP_K))
        st.toggle("Hide special tokens ([CLS], [SEP], </s> …)", key=state.key(state.HIDE_SPECIAL))
        st.toggle("Hide punctuation", key=state.key(state.HIDE_PUNCTUATION))
        st.toggle(
            "Renormalise what is left",
            key=state.key(state.RENORMALISE),
            help="Rows sum to one again. The hidden mass is shown either way.",
        )
        st.toggle(
            "Merge word pieces to words",
            key=state.key(state.WORDS),
            help="Mean over the pieces that look, sum over those looked at (Clark et al. 2019).",
        )
        projector.toggle(state.PAGE)
