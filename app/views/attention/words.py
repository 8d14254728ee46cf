"""The attention page's own sentences: what is shown, what is hidden, what it does not prove."""

import streamlit as st

from app.services.engine import TextTrace
from app.services.shown_maps import ShownMaps
from app.style.markdown_escape import plain
from core.catalog import ModelCard
from core.trace import AttentionKind

MASKS = {
    AttentionKind.ENCODER: "Every token may look at every token: nothing is masked.",
    AttentionKind.DECODER: (
        "A token may look only at itself and at what came before it: the future is masked with −∞ "
        "before the softmax, so it gets exactly 0."
    ),
    AttentionKind.CROSS: (
        "Rows are the decoder's tokens, columns the encoder's: what each target token reads from "
        "the input."
    ),
}


def hidden_note(shown: ShownMaps) -> None:
    """What was left out of the figure, with its amount."""
    if shown.removed is None or not shown.hidden:
        return
    mass = shown.removed
    unique = list(dict.fromkeys(shown.hidden))
    names = " ".join(unique[:6]) + (" …" if len(unique) > 6 else "")
    st.text(
        f"Hidden: {names}. They took {mass.mean():.3g} of a row on average, "
        f"{mass.min():.3g} to {mass.max():.3g}."
    )


def about_the_figure(card: ModelCard, kind: AttentionKind, traced: TextTrace) -> None:
    """The formula, the paper, and an honest line."""
    attention = traced.trace.attention(0, kind=kind)
    st.subheader("What am I looking at?")
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.latex(
            r"\mathrm{Attention}(Q,K,V)=\mathrm{softmax}\!\Big(\frac{QK^{\top}}{\sqrt{d_k}}+M\Big)V"
        )
        width = "hidden" if attention.queries is None else f"d_k = {attention.queries.shape[-1]}"
        st.markdown(
            f"A row is one query: its weights over all keys sum to one. {MASKS[kind]} "
            f"In this model {width}, and scores are multiplied by {attention.scale:.4g}. "
            "“× uniform” compares a weight with looking at all visible tokens alike. "
            "([Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), section 3.2.1.)"
        )
    with right:
        st.markdown(
            "**Attention is not explanation.** A large weight says where a head reads, not that "
            "the answer depends on it: other weights can give the same answer "
            "([Jain & Wallace 2019](https://arxiv.org/abs/1902.10186)), though that does not make "
            "weights meaningless ([Wiegreffe & Pinter 2019](https://arxiv.org/abs/1908.04626)). "
            "Heads often park their mass on [CLS], [SEP] or the first token when they have nothing "
            "to say ([Clark et al. 2019](https://arxiv.org/abs/1906.04341))."
        )
        st.markdown(
            f"Model: {plain(card.title)}, {card.size} parameters; {card.task}. {card.licence}. "
            f"{card.paper}"
        )
