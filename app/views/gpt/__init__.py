"""What comes next? A causal model word by word: its choice, its attention, its layers, its uses."""

import streamlit as st

from app import links
from app.views.gpt import (
    beside_view,
    generate_view,
    induction_view,
    layers_view,
    next_view,
    shots_view,
    state,
    surprise_view,
    tuning_view,
)

LEADS = {
    "next": (
        "After every prompt the model has a probability for every token. Move the sliders: they "
        "change how one is chosen, on the model's real logits."
    ),
    "generate": (
        "One token at a time: draw it, take it back, choose another and go on. Every path stays, "
        "and every step shows where its last token looked."
    ),
    "surprise": (
        "Paste a text: the darker a token, the less the model expected it. Click one to see what "
        "it expected instead."
    ),
    "layers": (
        "Every layer's state, read as if it were the last: watch the answer take shape from the "
        "embeddings (bottom) to the model's choice (top)."
    ),
    "induction": (
        "Random tokens, said twice. Nothing but the repetition can be predicted: which heads look "
        "at what came after this token last time?"
    ),
    "shots": (
        "Put examples before a question and change no weight: how does the probability of the "
        "right answer grow with their number?"
    ),
    "tuning": (
        "One Transformer for every task: the texts become token sequences, and the last token's "
        "state answers through one new matrix."
    ),
    "beside": (
        "The same sentence in both models: BERT looks both ways, GPT only back. One colour scale."
    ),
}
BODIES = {
    "next": next_view.render,
    "generate": generate_view.render,
    "surprise": surprise_view.render,
    "layers": layers_view.render,
    "induction": induction_view.render,
    "shots": shots_view.render,
    "tuning": tuning_view.render,
    "beside": beside_view.render,
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
        list(state.VIEWS),
        format_func=state.VIEWS.__getitem__,
        key=state.key(state.VIEW),
        required=True,
        wrap=True,
        label_visibility="collapsed",
    )
    view = state.get(state.VIEW)
    with st.container(key="lead"):
        st.markdown(LEADS[view])
    BODIES[view]()
