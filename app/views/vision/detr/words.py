"""What am I looking at? The set prediction's formulas, papers and cautions."""

import streamlit as st


def about_matching() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\hat\sigma=\arg\min_{\sigma}\sum_i \mathcal{L}_{\mathrm{match}}"
            r"(y_i,\hat y_{\sigma(i)})"
        )
        st.latex(
            r"\begin{aligned}\mathcal{L}_{\mathrm{match}}=&-\hat p_{\sigma(i)}(c_i)"
            r"+5\,\lVert b_i-\hat b_{\sigma(i)}\rVert_1\\"
            r"&+2\,\bigl(1-\mathrm{GIoU}(b_i,\hat b_{\sigma(i)})\bigr)\end{aligned}"
        )
        st.markdown(
            "[Carion et al. 2020](https://arxiv.org/abs/2005.12872) (DETR), equation 1 and section "
            "3.1, with the paper's weights; GIoU: [Rezatofighi et al. 2019]"
            "(https://arxiv.org/abs/1902.09630). The optimum is found by the Hungarian method "
            "(scipy's `linear_sum_assignment`); greedy takes the cheapest pair first, and may be "
            "left with a dear one."
        )
    with right:
        st.markdown(
            "**One prediction for each object.** Each object is matched with one slot; all other "
            "slots learn to say “no object”. A second box on an object is therefore an error, "
            "and nothing has to be filtered afterwards (no non-maximum suppression). The matching "
            "is made anew for every picture and step; nobody tells a slot in advance what to find."
        )
        st.markdown(
            "**Caution.** The matching uses p, the loss then uses −log p (equation 2). A slot that "
            "wins by a hair still gets the whole gradient: small changes of a box can hand an "
            "object to another slot, one reason why DETR learns slowly."
        )


def about_attention() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            "A few convolutions turn the scene into 8 × 8 places. The **encoder** lets every place "
            "look at every other. **Object queries** (slots) are learned vectors: in each decoder "
            "layer they first look at one another (self-attention), then at the places "
            "(cross-attention). From each slot's last state come one box and one class, or “no "
            "object”. [Carion et al. 2020](https://arxiv.org/abs/2005.12872), section 3.2, figures "
            "3, 6 and 7."
        )
    with right:
        st.markdown(
            "**Caution.** This is a small DETR, trained here on drawn scenes; its slots begin at "
            "learned reference points, unlike the paper's (the About page lists every departure). "
            "Attention shows where numbers were fetched, not why a box came out; the box is "
            "computed from the slot's whole history. Weights are softmax outputs: each row sums to "
            "one over the 64 places, or over the slots."
        )
