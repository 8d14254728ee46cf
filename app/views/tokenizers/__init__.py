"""What do tokenizers make of the same text? Several, side by side, real and trained here."""

import streamlit as st

from app.ui import params
from app.views.tokenizers import (
    languages,
    state,
    text,
    unigram,
    why,
    wordpiece,
)

LEADS = {
    "text": "Every row is a tokenizer. Where they cut differently, a thick line stands.",
    "languages": (
        "One sentence in fifteen languages: how many tokens does each cost, and is that fair?"
    ),
    "why": "Words run out, letters are many. What do the pieces in between cost and save?",
    "wordpiece": (
        "Both glue pairs together. BPE takes the most frequent pair, WordPiece the one that is "
        "most surprising for its parts."
    ),
    "unigram": (
        "Unigram knows a probability for every piece. All cuttings compete, and the most "
        "probable path through the lattice wins."
    ),
}
BODIES = {
    "text": text.render,
    "languages": languages.render,
    "why": why.render,
    "wordpiece": wordpiece.render,
    "unigram": unigram.render,
}


def render() -> None:
    """Title, the five views, and the chosen one."""
    params.seed(state.PAGE, state.PARAMS)
    st.title("What do tokenizers make of the same text?")
    st.space("xxsmall")
    st.segmented_control(
        "View",
        list(state.VIEWS),
        format_func=state.VIEWS.__getitem__,
        key=state.key(state.VIEW),
        required=True,
        label_visibility="collapsed",
    )
    view = state.get(state.VIEW)
    with st.container(key="lead"):
        st.markdown(LEADS[view])
    BODIES[view]()
