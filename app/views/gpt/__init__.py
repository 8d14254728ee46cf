"""What comes next? A causal model word by word: its choice, its attention, its layers, its uses."""

import streamlit as st

from app import links
from app.views.gpt import generate_view, next_view, state

LEADS = {
    "next": (
        "After every prompt the model has a probability for every token. Move the sliders: they "
        "change how one is chosen, on the model's real logits."
    ),
    "generate": (
        "One token at a time: draw it, take it back, choose another and go on. Every path stays, "
        "and every step shows where its last token looked."
    ),
}
BODIES = {
    "next": next_view.render,
    "generate": generate_view.render,
}


def render() -> None:
    """Title, the views, and the chosen one."""
    links.seed(state.PAGE, state.PARAMS)
    if wanted := st.session_state.pop(f"{state.PAGE}.go", None):
        state.put(state.VIEW, wanted)
    st.title("Which word comes next?")
    st.space("xxsmall")
    st.segmented_control(
        "View",
        list(BODIES),
        format_func=state.VIEWS.__getitem__,
        key=state.key(state.VIEW),
        required=True,
        label_visibility="collapsed",
    )
    view = state.get(state.VIEW)
    with st.container(key="lead"):
        st.markdown(LEADS[view])
    BODIES[view]()
