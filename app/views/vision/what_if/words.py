"""What the figures are, and how far they can be trusted."""

import streamlit as st


def about() -> None:
    """Formulas, papers, cautions."""
    with st.expander("What am I looking at?"):
        st.markdown(
            "**Hidden patches** take the model's mean colour before the first layer, zero after "
            "normalisation. The model still sees that something flat is there, and it was not "
            "trained on such pictures: a change says what the model uses, not what the patch "
            "*means* (Zeiler & Fergus 2014, [1311.2901](https://arxiv.org/abs/1311.2901)). Compare "
            "with as many patches at random.\n\n"
            "**A silenced head** adds nothing to the residual stream; its map stays as it is. "
            "Heads back each other up, so little change does not prove that a head does nothing "
            "(Michel et al. 2019, [1905.10650](https://arxiv.org/abs/1905.10650)).\n\n"
            "**Positions** are a table that is added to patches (ViT, DeiT), angles by which "
            "queries and keys are turned (EVA-02), or offsets within windows (Swin, BEiT): these "
            "can be dropped, not shuffled. A model that was trained with positions counts on them; "
            "one trained without would do better."
        )
        st.latex(r"\text{moved} = \tfrac12\sum_c |p_c - q_c|")
        st.markdown(
            "**The logit lens** reads a token with the model's last norm and its head, as if no "
            "layer followed (nostalgebraist 2020):"
        )
        st.latex(r"\text{softmax}\big(W\,\text{norm}(x^{(l)}_t) + b\big)")
        st.markdown(
            "The head was trained on the last layer's [CLS] or mean only. An early layer, and any "
            "single patch, may speak another language "
            "([Belrose et al. 2023](https://arxiv.org/abs/2303.08112)): confident nonsense is "
            "possible, and no class at an early layer does not mean that the layer knows nothing. "
            "*The answer* pools as the model itself does."
        )
