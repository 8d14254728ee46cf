"""What does a Vision Transformer see? Patches, attention, explanations, on the reader's picture.

A view is a module here that gives

    LEAD    one sentence under the title
    PARAMS  its parameters (`app.ui.params`), with names that no other view uses
    render  () -> Export | None: draw the view, hand its numbers to the quiet row
"""

from typing import Any, Final

import streamlit as st

from app.ui import params, projector
from app.ui.export_bar import quiet_row
from app.views.vision import (
    attention,
    detr,
    how_far,
    mae,
    patches,
    rollout,
    state,
    swin,
    truth,
    what_if,
    why,
)

NAMES: Final = {
    "patches": "Patches",
    "attention": "Attention",
    "rollout": "Rollout",
    "how-far": "How far",
    "why": "Why this class?",
    "truth": "Is it true?",
    "what-if": "What if",
    "swin": "Swin",
    "mae": "Masked autoencoder",
    "detr": "Set prediction",
}
VIEWS: Final[dict[str, Any]] = {
    "patches": patches,
    "attention": attention,
    "rollout": rollout,
    "how-far": how_far,
    "why": why,
    "truth": truth,
    "what-if": what_if,
    "swin": swin,
    "mae": mae,
    "detr": detr,
}
VIEW: Final = params.choice("view", list(NAMES))
PARAMS: Final = (VIEW, *state.SHARED, *(p for view in VIEWS.values() for p in view.PARAMS))


def render() -> None:
    """Title, the views, and the chosen one."""
    params.seed(state.PAGE, PARAMS)
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.title("What does a Vision Transformer see?", width="content")
        with st.popover("Display", icon=":material/tune:", width="content"):
            projector.toggle(state.PAGE)
    st.segmented_control(
        "View",
        list(NAMES),
        format_func=NAMES.__getitem__,
        key=state.key(VIEW),
        required=True,
        label_visibility="collapsed",
    )
    view = VIEWS[state.get(VIEW)]
    with st.container(key="lead"):
        st.markdown(view.LEAD)
    quiet_row(state.PAGE, PARAMS, view.render())
