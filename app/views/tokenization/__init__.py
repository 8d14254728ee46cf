"""Which pair is merged next, and why? Byte-pair encoding, step by step."""

import streamlit as st

from app.services import bpe_training
from app.ui import params
from app.views.tokenization import controls, state, waiting_room
from app.views.tokenization.figure import figure


def render() -> None:
    """Ask for a corpus, train on it, draw every merge."""
    params.seed(state.PAGE, state.PARAMS)
    st.title("Which pair is merged next, and why?")
    with st.container(key="lead"):
        st.markdown(
            "Byte-pair encoding builds subwords: count all neighbouring pairs, merge the most "
            "frequent, repeat. Space plays, ← → step."
        )
    corpus = controls.corpus_input()
    if corpus is None:
        return
    recipe = state.recipe(corpus)
    training = waiting_room.outcome(bpe_training.train(recipe), "Training")
    if training is not None:
        figure(recipe, training)
