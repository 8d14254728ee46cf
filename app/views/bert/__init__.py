"""What does BERT put where a word is missing? Its input, its two tasks, its vectors, its uses."""

import streamlit as st

from app import links
from app.views.bert import inputs, masked_words, state

LEADS = {
    "words": (
        "Click any word to hide it behind a mask. The model reads what is left, on both sides, and "
        "says what it expects there."
    ),
}
BODIES = {
    "words": masked_words.render,
}


def render() -> None:
    """Title, the views, and the chosen one."""
    if links.seed(state.PAGE, state.PARAMS) and state.TEXT.name not in st.query_params:
        inputs.show_example(inputs.EXAMPLES[0])
    st.title("What does BERT put where a word is missing?")
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
