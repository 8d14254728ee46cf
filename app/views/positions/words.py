"""The page's own sentences: formulas, papers, cautions."""

import streamlit as st

from core import positions

VASWANI = "[Vaswani et al. 2017](https://arxiv.org/abs/1706.03762)"
SU = "[Su et al. 2021](https://arxiv.org/abs/2104.09864)"
PRESS = "[Press et al. 2022](https://arxiv.org/abs/2108.12409)"
RAFFEL = "[Raffel et al. 2020](https://arxiv.org/abs/1910.10683)"
SWIN = "[Liu et al. 2021](https://arxiv.org/abs/2103.14030)"
DETR = "[Carion et al. 2020](https://arxiv.org/abs/2005.12872)"
VIT = "[Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929)"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
COUNTED = 100_000  # positions in which the nearest return is looked for


def number(value: float) -> str:
    """Three significant digits; large numbers whole, very small ones with a power of ten."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    if size < 1e-3:
        mantissa, power = f"{value:.2e}".split("e")
        return f"{mantissa} · 10{str(int(power)).translate(RAISED)}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def unique_positions(d: int, base: float) -> None:
    """The range of wavelengths, and why “unique for 10000 positions” is no consequence of it."""
    lengths = positions.wavelengths(d, base)
    k, distance, one = positions.nearest_return(d, base, COUNTED)
    st.latex(
        r"2\pi = 6.28 \quad\text{to}\quad 2\pi\cdot "
        rf"{base:.0f}^{{({d}-2)/{d}}} = {lengths[-1]:,.2f}".replace(",", r"\,")
    )
    st.markdown(
        f"positions, here in {d // 2} steps of a constant factor.\n\n"
        "**“Unique for 10,000 positions”**, as lectures say, is wrong. 10,000 is the base of the "
        "ladder, no number of positions; the longest wave is given above. No two positions ever "
        "share a vector: the first pair would have to turn by a multiple of 2π in "
        "a whole number of steps, and π is irrational. What is finite is *how far apart* two "
        "vectors are. That depends on all wavelengths, not on the base alone: among the first "
        f"{COUNTED:,} offsets, a position comes nearest to itself after {k:,} "
        f"{'step' if k == 1 else 'steps'}, at a distance of {number(distance)} (neighbours: "
        f"{number(one)})."
    )
    if k == 1:
        st.caption(
            "So here no far position is as similar as the next one. Set d_model to 2: the base "
            "drops out, and 710 steps (113 turns, nearly) come back to within 6 · 10⁻⁵."
        )


def about_sinusoidal() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"PE_{(pos,2i)}=\sin\!\big(pos/10000^{2i/d_{model}}\big)")
        st.latex(r"PE_{(pos,2i+1)}=\cos\!\big(pos/10000^{2i/d_{model}}\big)")
        st.markdown(
            f"({VASWANI}, section 3.5.) The table is added to the token embeddings, which the "
            "paper first multiplies by √d_model. It is not trained."
        )
    with right:
        st.markdown(
            "**Cautions.** tensor2tensor and transformers' Marian put all sines before all "
            "cosines: one permutation of dimensions, which a model cannot notice, but a copied "
            "weight can. And the sines of a fast pair say little alone: neighbours differ in all "
            "pairs, far positions in the slow ones."
        )


def about_shift() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"PE_i\cdot PE_j=\sum_{m}\cos\big(\omega_m (i-j)\big),\quad \omega_m=b^{-2m/d}")
        st.markdown(
            f"{VASWANI} chose sinusoids because, for any fixed offset k, PE(pos + k) is a linear "
            "function of PE(pos). The function is a rotation: it follows from the sine and cosine "
            "of a sum, and needs no training."
        )
    with right:
        st.markdown(
            "**Cautions.** That a linear map exists does not say that a trained head uses it. In "
            "attention the product is $PE_i W^Q (W^K)^\\top PE_j^\\top$, next to terms with the "
            "tokens; only with a suitable $W^Q (W^K)^\\top$ does it depend on the distance alone. "
            f"Rotary positions ({SU}) make that exact by rotating q and k themselves."
        )


def about_learned() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\cos(p_i,p_j)=\frac{p_i\cdot p_j}{\lVert p_i\rVert\,\lVert p_j\rVert}")
        st.markdown(
            "BERT, GPT and ViT learn one vector a position, added to the token's. "
            f"{VASWANI} tried both and found “nearly identical results” (table 3, row E: 25.7 "
            "against 25.8 BLEU). Components are those of the centred table: the share is of its "
            "variance over positions."
        )
    with right:
        st.markdown(
            "**Cautions.** A learned table ends: position 512 of BERT has no vector. Late ones "
            "were seen in long texts only, and may have hardly moved. Similar vectors say that the "
            "model *may* treat two places alike; what a head makes of them is in its $W^Q$ and "
            "$W^K$."
        )


def about_grid() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            f"{VIT}, figure 7, centre. Tile (r, c) shows how similar every patch's position is to "
            "the one of patch (r, c). Nobody told the model that its sequence is a picture: rows "
            "and columns are found in training, as far as they help."
        )
    with right:
        st.markdown(
            "**Cautions.** The paper's figure is of ViT-L/32, trained on hundreds of millions of "
            "pictures; after a short training tiles may be pale. Cosine is used, as in the paper, "
            "not the plain product."
        )


def about_relative() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\text{Rotary: }(R_i q)^\top (R_j k)=q^\top R_{j-i}\,k")
        st.latex(r"\text{ALiBi: } q_i^\top k_j - m_h\,(i-j),\quad m_h = 2^{-8h/n}")
        st.latex(r"\text{T5: } q_i^\top k_j + b_{h,\,bucket(j-i)}")
        st.latex(r"\text{Swin: } \mathrm{softmax}\big(QK^\top/\sqrt d + B\big)V")
        st.markdown(
            f"Rotary: {SU}, equation 15. ALiBi: {PRESS}, section 3; if n is no power of two, every "
            f"second slope of 2n is added. T5: {RAFFEL}, section 2.1; T5 does not divide by √d. "
            f"Swin: {SWIN}, equation 4. 2-D sine: {DETR}, appendix A.4."
        )
    with right:
        st.markdown(
            "**Cautions.** The maps are counterfactual: a head that was trained with "
            "one kind of positions is shown with another. They say what the arithmetic does, not "
            "what such a model would learn. Rotary products need not fall with distance: the "
            "paper's bound does, a real pair may rise. ALiBi's models are causal; T5's and Swin's "
            "numbers are learned, so the T5 bias here is stated beside its slider, and Swin's "
            "picture shows the index alone."
        )


def about_order() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\mathrm{Attention}(PQ,PK,PV)=P\,\mathrm{Attention}(Q,K,V)")
        st.markdown(
            "Every other part of a block treats tokens one by one, so without positions a whole "
            "encoder moves with its tokens. Tables and sinusoids are changed where they are "
            "looked up, rotary positions where their angles are made; the weights stay."
        )
    with right:
        st.markdown(
            "**Cautions.** Dropping positions from a trained model is not training one without "
            "them. A causal model is not blind to order even then: its mask tells each token how "
            "many came before. [CLS] and [SEP] keep their positions when others are shuffled, so "
            "that what changes is the words' order alone."
        )
