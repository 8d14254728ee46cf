"""What comes next? A causal model word by word: its choice, its attention, its layers, its uses."""

import streamlit as st

from app.ui import params
from app.views.gpt import (
    beside,
    generate,
    induction,
    layers,
    next_word,
    shots,
    state,
    surprise,
    tuning,
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
    "next": next_word.render,
    "generate": generate.render,
    "surprise": surprise.render,
    "layers": layers.render,
    "induction": induction.render,
    "shots": shots.render,
    "tuning": tuning.render,
    "beside": beside.render,
}


def render() -> None:
    """Title, the views, and the chosen one."""
    params.seed(state.PAGE, state.PARAMS)
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
