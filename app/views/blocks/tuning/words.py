"""What am I looking at: formulas, papers, cautions of cheap fine-tuning."""

import streamlit as st

HU = "[Hu et al. 2022](https://arxiv.org/abs/2106.09685)"
AGHAJANYAN = "[Aghajanyan et al. 2021](https://arxiv.org/abs/2012.13255)"
DETTMERS = "[Dettmers et al. 2022](https://arxiv.org/abs/2208.07339)"
BLOCKS = "[Dettmers et al. 2022, 8-bit optimizers](https://arxiv.org/abs/2110.02861)"
HOULSBY = "[Houlsby et al. 2019](https://arxiv.org/abs/1902.00751)"


def about_lora() -> None:
    """Low-rank updates."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"h=W_0x+\Delta W\,x=W_0x+BA\,x,"
            r"\qquad B\in\mathbb R^{m\times r},\ A\in\mathbb R^{r\times n}"
        )
        st.markdown(
            f"{HU}, section 4.1. LoRA factors the *update*, not the weight: W₀ stays as it was, "
            "and only B and A are trained and stored. W's own spectrum stands beside it as "
            "contrast. The idea rests on fine-tunings needing few directions "
            f"({AGHAJANYAN}); whether that holds here, the curves say."
        )
    with right:
        st.markdown(
            "**Cautions.** This ΔW comes from an ordinary fine-tuning of every weight "
            "(vit-mini − mae-mini's encoder); BA is its best approximation (truncated singular "
            "value decomposition). A LoRA *trained* at that rank could find another one, since "
            "here all the weights moved together. Biases, norms, embeddings and the head are the "
            "tuned ones in all columns."
        )


def about_int8() -> None:
    """8-bit weights."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"q=\operatorname{round}\!\Big(\frac{127}{\max_j|x_j|}\,x\Big),"
            r"\qquad x\approx\frac{\max_j|x_j|}{127}\,q"
        )
        st.markdown(
            f"{DETTMERS}, section 2.1: the code q is what is computed, and stands on the left. "
            f"Blocks with a step of their own: {BLOCKS}, section 2.1."
        )
    with right:
        st.markdown(
            "**Cautions.** One outlier stretches the step of everything that shares it: try the "
            "slider with the matrix as one block, then with blocks of 64. Here weights are rounded "
            "and the arithmetic stays in float32; LLM.int8() multiplies in int8 and keeps outlier "
            "*activations* in 16 bits, which this small model does not need."
        )


def about_adapters() -> None:
    """Bottlenecks between the layers."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\text{adapter}(h)=h+W_{up}\,f(W_{down}\,h+b_{down})+b_{up}")
        st.markdown(
            f"{HOULSBY}, section 2.1: two small bottlenecks a layer, near the identity at first. "
            f"LoRA: {HU}; its BA can be added into W₀ afterwards, so that nothing is left to "
            "compute; an adapter stays."
        )
    with right:
        st.markdown(
            "**Caution.** Fewer trained numbers make optimiser states and stored copies small. The "
            "forward and backward passes still go through the whole frozen model."
        )
