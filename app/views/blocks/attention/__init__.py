"""Attention from scratch: from a table of numbers to a real head, in six parts."""

import streamlit as st

from app.ui.export_bar import Export
from app.views.blocks.attention import entropy, limit, metric, saturation, scores, worked
from app.views.blocks.attention.state import PARAMS, PART, PARTS
from app.views.blocks.parts import choose_part

__all__ = ["LEAD", "PARAMS", "render"]

LEAD = ""  # every part has its own
LEADS = {
    "steps": "Queries meet keys, the softmax shares out, values are mixed. Change any number.",
    "root": "Dot products of wide vectors are large. What does that do to a softmax?",
    "scores": "How well does a key fit a query? A small network can say, or a dot product.",
    "metric": "A head compares tokens through a matrix of its own. What does a real one look like?",
    "entropy": "Of all ways to share out attention, which is softmax, and what is it best at?",
    "limit": "What if attention is applied to its own output, again and again?",
}
BODIES = {
    "steps": worked.render,
    "root": saturation.render,
    "scores": scores.render,
    "metric": metric.render,
    "entropy": entropy.render,
    "limit": limit.render,
}


def render() -> Export | None:
    """The parts, and the chosen one."""
    part = choose_part(PART, PARTS)
    with st.container(key="lead"):
        st.markdown(LEADS[part])
    return BODIES[part]()
