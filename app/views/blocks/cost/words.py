"""Formulas, papers and cautions of the cost views."""

from collections.abc import Iterable

import numpy as np
import streamlit as st

from app.style.number_format import count, three
from core.blocks.attention_memory import Picture
from core.blocks.int8 import absmax_int8

VASWANI = "[Vaswani et al. 2017](https://arxiv.org/abs/1706.03762)"
WANG = "[Wang et al. 2020](https://arxiv.org/abs/2006.04768)"
LIU = "[Liu et al. 2021](https://arxiv.org/abs/2103.14030)"
DAO = "[Dao et al. 2022](https://arxiv.org/abs/2205.14135)"
DETTMERS = "[Dettmers et al. 2022](https://arxiv.org/abs/2208.07339)"
DOSOVITSKIY = "[Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929)"

ROW = (0.67, 0.31, 0.02)  # attention weights, for the worked example of int8


def about_layers() -> None:
    """Table 1."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"n^2 d < n d^2 \iff n < d")
        st.markdown(
            f"({VASWANI}, table 1.) Self-attention multiplies every query with every key: n² dot "
            "products of length d. A recurrent layer multiplies a d × d matrix n times, one after "
            "the other. As long as a sentence is shorter than the width, attention is the cheaper "
            "of the two, and its ends are one step apart."
        )
    with right:
        st.markdown(
            "**Cautions.** Orders of growth without constants, and without the four projections "
            "of attention (4nd²) and its feed-forward layer (8nd²), which dominate while n is "
            "small. The convolutions' path is that of dilated ones; contiguous ones need n/k. "
            "Separable convolutions cost knd + nd². What a machine makes of it: *Measured here*."
        )


def about_memory() -> None:
    """Bytes."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\text{bytes}=\text{layers}\cdot\text{heads}\cdot n^2\cdot\text{bytes a number}")
        st.markdown(
            "One number for every pair of positions. Linformer projects keys and values to k "
            f"positions ({WANG}): nk pairs instead of n². A window lets each position see w others "
            "(*Pictures* has Swin's)."
        )
        st.latex(r"\text{int8:}\quad q=\operatorname{round}\!\Big(\frac{127}{\max_j|x_j|}\,x\Big)")
        st.latex(r"x\approx \frac{\max_j|x_j|}{127}\,q")
        codes, step = absmax_int8(np.array(ROW))
        st.markdown(
            f"The code q stands on the left, as what is computed ({DETTMERS}). Three weights "
            f"{_listed(ROW)} become q = {_listed(codes)} and one step of {three(step)}; back come "
            f"{_listed(codes * step)}."
        )
    with right:
        st.markdown(
            "**Cautions.** All maps at once are what a backward pass keeps if it keeps them. "
            "While predicting, one layer's are enough, and fused attention computes them block by "
            f"block and never writes them out ({DAO}): its memory grows with n, its time with n². "
            "Weights, keys and values and the other activations come on top. B are decimal: "
            "1 GB = 10⁹ bytes. int8 is what the maps *would* take; a softmax is rarely kept in it."
        )


def _listed(values: Iterable[float]) -> str:
    return f"({', '.join(map(count, values))})"


def about_pictures(picture: Picture, window: int, channels: int) -> None:
    """Swin's two equations with this picture's numbers."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\Omega(\text{MSA})=4HWC^2+2(HW)^2C")
        st.latex(r"\Omega(\text{W-MSA})=4HWC^2+2M^2HWC")
        st.markdown(
            f"({LIU}, equations 1 and 2; H × W patches, C channels.) Here, with C = {channels:,}: "
            f"**{three(picture.attention_operations(channels))}** against "
            f"**{three(picture.window_operations(channels, window))}** multiplications."
        )
    with right:
        st.markdown(
            "1920 × 1080 pixels are two million positions and 4.3 · 10¹² pairs. ViT "
            f"({DOSOVITSKIY}) cuts squares of 16 × 16 first: sixteen times fewer a side, 16⁴ = "
            "65,536 times fewer pairs.\n\n"
            "**Cautions.** Ragged edges are padded to whole patches and whole windows. ViT resizes "
            "pictures and never sees a screen at full size. Within windows nothing crosses their "
            "borders; Swin shifts them in every second layer for that."
        )


def about_times() -> None:
    """The clock."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"t\approx c\,n^{a}\iff \ln t\approx \ln c+a\ln n")
        st.markdown(
            "One layer of the base Transformer's shape on random numbers. *Explicit* writes "
            "softmax(QKᵀ/√d)V out, one head after the other; *fused* is torch's own kernel "
            f"(the idea: {DAO}). The exponent a is a least-squares slope in logarithms, from the "
            "chosen n on: 2 is the paper's n², 1 is linear."
        )
    with right:
        st.markdown(
            "**Cautions.** A slope over a few octaves is no law: short sequences pay for starting "
            "the work, long ones leave the caches, so an explicit softmax may come out above 2. "
            "Each point is the fastest of several runs; on a processor it is the CPU time of "
            "one thread, but others who use the machine still take cache and memory away. The "
            "projections (4nd²) are left out of attention."
        )


def about_parameters() -> None:
    """The sum."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\underbrace{2\,d_\text{model}\,h\,(d_k+d_v)}_{W^Q,W^K,W^V,W^O}+"
            r"\underbrace{2\,d_\text{model}\,d_\text{ff}}_{W_1,W_2}\quad\text{a block}"
        )
        st.latex(
            r"\text{FLOP}\approx 2n\cdot\text{weights}"
            r"+2n^2\,h\,(d_k+d_v)\cdot\text{attentions}"
        )
        st.markdown(
            "Per block, besides biases and norms; a decoder with cross-attention has the first "
            "term twice. Each sum equals, to the last parameter, that of a really built module of "
            "this shape (transformers' BERT, GPT-2, Marian and T5, timm's ViT): a test builds "
            "them. The operations equal torch's own count of a really run one; norms, softmax and "
            "activations are left out, as usual."
        )
    with right:
        st.markdown(
            "**Cautions.** A matrix that is used twice counts once: the output layer of GPT, T5 "
            "and the Transformer is the embedding again. Sinusoidal positions have no parameters. "
            "BERT is counted with its pooler and without its two pre-training heads. Papers "
            "round, and few say what they count."
        )
