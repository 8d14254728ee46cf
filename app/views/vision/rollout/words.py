"""Formula, paper, caution."""

import streamlit as st

ABNAR = "[Abnar & Zuidema 2020](https://arxiv.org/abs/2005.00928)"


def about() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\hat A_l=(1-\alpha)\,A_l+\alpha I,\qquad R=\hat A_L\cdots\hat A_1")
        st.markdown(
            f"({ABNAR}, section 3, equation 1; there α = ½.) $A_l$ is a layer's map with its heads "
            "fused, α the residual weight, the first layer rightmost. Rows are queries: every row "
            "of $A_l$, $\\hat A_l$ and $R$ sums to one. One row is a chain of vector–matrix "
            "products from the last layer to the first, so the whole product is never made. "
            "**Flow** takes the same numbers as capacities of a network, and the most that can "
            "run from the token to each patch (section 3 of the same paper)."
        )
    with right:
        st.markdown(
            "**Cautions.** Rollout has no target class: it is the same whether you ask about the "
            "cat or the sofa, so it explains no answer (see “Why this class?”). It knows no "
            "values, no MLP and no sign, and it counts the residual as a fixed share that nobody "
            "measured. A large share on class or register tokens is printed, not drawn: a map "
            "over the patches alone would hide it. Much copied code divides columns instead of "
            "rows; here the rows' sums are tested."
        )
