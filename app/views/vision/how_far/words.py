"""Formula, paper, caution."""

import streamlit as st

VIT = "[Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929)"
RAGHU = "[Raghu et al. 2021](https://arxiv.org/abs/2108.08810)"


def about() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"d_h=\frac1N\sum_q\sum_k \tilde A_{qk}\,\lVert x_q-x_k\rVert,\qquad "
            r"\tilde A_{qk}=\frac{A_{qk}}{\sum_{j\in\text{patches}}A_{qj}}"
        )
        st.latex(r"H_h=-\frac1M\sum_q\sum_k A_{qk}\log_2 A_{qk}")
        st.markdown(
            f"{VIT}, figures 7 (right) and 11: $x$ are patches' centres in pixels of the picture "
            "that the model saw; class and register tokens have no place, so each row is "
            "renormalised over the patches. “Uniform” is a head that looks at everything it may "
            "see alike: the whole picture, or in Swin its window. Tiles: figure 7, centre, cosines "
            "of position rows. A label names the pattern that holds the most of a head's weight, "
            "if it holds 40 %; a head is “broad” from 90 % of the largest entropy on."
        )
    with right:
        st.markdown(
            "**Cautions.** A small distance says where the weights lie, not what is read there; a "
            "head that gives nearly all to the class token has a distance all the same, made from "
            "the little that is left (see “sink”). One picture is one sample: the paper averages "
            f"128, here it is six; {RAGHU} show that local heads need much training data. The "
            "pattern of one's own row holds one's own patch, too, so the scores overlap. Similar "
            "positions may be treated alike; what a head makes of them is in its $W^Q$ and $W^K$."
        )
