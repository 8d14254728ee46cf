"""What does each part of a Transformer do? One view a part, each computed live.

A view is a module or a package here that gives

    LEAD    one sentence under the title; empty where the view writes its own
    PARAMS  its parameters (`app.ui.params`), with names that no other view uses
    render  () -> Export | None: draw the view, hand its numbers to the quiet row
"""

from typing import Any, Final

import streamlit as st

from app.ui import params, projector
from app.ui.export_bar import quiet_row
from app.views.blocks import (
    activations,
    attention,
    cost,
    norms,
    objectives,
    optimisation,
    tuning,
)
from app.views.blocks.state import MODEL, PAGE, TEXT, get, key

NAMES: Final = {
    "attention": "Attention from scratch",
    "activations": "Activations",
    "norms": "Normalisation",
    "optimisation": "Optimisation",
    "cost": "Cost",
    "tuning": "Fine-tuning cheaply",
    "objectives": "Objectives",
}
VIEWS: Final[dict[str, Any]] = {
    "attention": attention,
    "activations": activations,
    "norms": norms,
    "optimisation": optimisation,
    "cost": cost,
    "tuning": tuning,
    "objectives": objectives,
}
VIEW: Final = params.choice("view", list(NAMES))
PARAMS: Final = (VIEW, MODEL, TEXT, *(param for view in VIEWS.values() for param in view.PARAMS))


def render() -> None:
    """Title, the views, and the chosen one."""
    params.seed(PAGE, PARAMS)
    st.title("What does each part of a Transformer do?")
    st.space("xxsmall")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "View",
            list(NAMES),
            format_func=NAMES.__getitem__,
            key=key(VIEW),
            required=True,
            wrap=True,
            label_visibility="collapsed",
        )
        with st.popover("Display", icon=":material/tune:", width="content"):
            projector.toggle(PAGE)
    view = VIEWS[get(VIEW)]
    if view.LEAD:
        with st.container(key="lead"):
            st.markdown(view.LEAD)
    quiet_row(PAGE, PARAMS, view.render())
