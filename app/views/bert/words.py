"""The page's own sentences: formulas, papers, cautions."""

import streamlit as st

from app.plain import plain
from core.catalog import ModelCard

DEVLIN = "[Devlin et al. 2019](https://arxiv.org/abs/1810.04805)"
LIU = "[Liu et al. 2019](https://arxiv.org/abs/1907.11692)"
MODEST = (
    "BERT mini was trained here in 73 minutes: of words masked in unseen articles it guesses 23 % "
    "(the right one is among its first five for 41 %). It knows some facts and little grammar."
)


def about_masked_words(card: ModelCard) -> None:
    """The candidates."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"p(w\mid \text{text})=\mathrm{softmax}\big(E\,\mathrm{LN}(\mathrm{GELU}(W h_i+b))"
            r"+c\big)_w\qquad H=-\sum_w p_w\log_2 p_w"
        )
        st.markdown(
            "h is the last layer's state at the mask, E the token embeddings (the head shares "
            f"them). The model reads both sides of the mask: that is what **B**idirectional means "
            f"({DEVLIN}, section 3.1). Doubt is the entropy of the whole distribution."
        )
    with right:
        st.markdown(
            "**Cautions.** A rank is among all tokens of the vocabulary, word pieces and names "
            "included. Filling one mask after another is not what BERT was trained for: each "
            "conditional is its own, and they need not come from one joint distribution "
            "([Young et al. 2022](https://arxiv.org/abs/2301.00068)). A head that looks at a word "
            "need not be why the word was predicted."
        )
        if card.id == "bert-mini":
            st.markdown(MODEST)
        st.markdown(f"Model: {plain(card.title)}, {card.size} parameters. {plain(card.paper)}")
