"""The view's own sentences: formulas, papers, cautions."""

from typing import Final

import streamlit as st

SAMEK: Final = "[Samek et al. 2017](https://arxiv.org/abs/1509.06321)"
CHEFER: Final = "[Chefer et al. 2021](https://arxiv.org/abs/2012.09838)"
ADEBAYO: Final = "[Adebayo et al. 2018](https://arxiv.org/abs/1810.03292)"
PETSIUK: Final = "[Petsiuk et al. 2018](https://arxiv.org/abs/1806.07421)"
POINTING: Final = "[Zhang et al. 2018](https://arxiv.org/abs/1608.00507)"
SACO: Final = "[Wu et al. 2024](https://arxiv.org/abs/2404.01415)"


def about() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\rule{0pt}{2.4em}\mathrm{gap}=\int_0^{0.9} p_{\text{least}}(f)\,df"
            r"-\int_0^{0.9} p_{\text{most}}(f)\,df"
        )
        st.markdown(
            f"p(f) is the class's probability with a share f of the patches hidden, the most "
            f"or the least relevant first ({SAMEK}; "
            f"steps and area as in {CHEFER}, section 4). If a map is true, p falls at once when "
            "its most relevant patches go, and stays when the least relevant ones go. Read from "
            f"right to left, the second is the insertion curve of {PETSIUK}. Ties are broken by "
            "lot, never from the top of the picture. Pointing: "
            f"{POINTING}. Random weights: {ADEBAYO}, cascade from the answer downwards; the shared "
            "model is not touched, a copy is."
        )
    with right:
        st.markdown(
            "**Cautions.** A picture with grey holes is like none that the model was trained on: "
            "some of the fall is surprise, so a second fill and random holes stand beside. A map "
            "may lie beside the object and still be true: the model may know a boat by the water. "
            f"{SACO} report that common measures hardly tell methods from random, so a method "
            "must first beat random. One picture is an anecdote; intervals are in the benchmark. "
            "And a map that survives random weights may draw edges of the picture, no reasons of "
            "the model."
        )
