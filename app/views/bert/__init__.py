"""What does BERT put where a word is missing? Its input, its two tasks, its vectors, its uses."""

import streamlit as st

from app.ui import params
from app.views.bert import (
    fine_tuning,
    input_sum,
    inputs,
    layer_by_layer,
    masked_words,
    next_sentence,
    pretraining,
    state,
    words_in_context,
)

LEADS = {
    "words": (
        "Click any word to hide it behind a mask. The model reads what is left, on both sides, and "
        "says what it expects there."
    ),
    "layers": (
        "The same masks, one layer at a time: when does the answer appear, and what stood there "
        "before?"
    ),
    "input": (
        "Three learned vectors are added for every token: which word, at which place, in which "
        "sentence."
    ),
    "pretraining": (
        "BERT learned by repairing texts: some words are chosen, most of those masked, some kept, "
        "some replaced. Here is one such lesson, with its loss."
    ),
    "next": (
        "BERT's second task: does sentence B follow sentence A? The answer is read off a single "
        "vector."
    ),
    "context": "One word in several sentences: the same row of a table at first, then it parts.",
    "tuning": "A finished encoder and one small new layer: where it attaches, and how large it is.",
}
BODIES = {
    "words": masked_words.render,
    "layers": layer_by_layer.render,
    "input": input_sum.render,
    "pretraining": pretraining.render,
    "next": next_sentence.render,
    "context": words_in_context.render,
    "tuning": fine_tuning.render,
}


def render() -> None:
    """Title, the views, and the chosen one."""
    if params.seed(state.PAGE, state.PARAMS) and state.TEXT.name not in st.query_params:
        inputs.show_example(inputs.EXAMPLES[0])
    st.title("What does BERT put where a word is missing?")
    st.space("xxsmall")
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.segmented_control(
            "View",
            list(state.VIEWS),
            format_func=state.VIEWS.__getitem__,
            key=state.key(state.VIEW),
            required=True,
            label_visibility="collapsed",
        )
        view = state.get(state.VIEW)
        inputs.display_popover(masks=view in ("words", "layers"))
    with st.container(key="lead"):
        st.markdown(LEADS[view])
    BODIES[view]()
