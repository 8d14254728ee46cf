"""Which layer and head: selectors that several views share."""

import streamlit as st

from app.ui.params import Param
from app.views.transformer import state
from core.trace import AttentionKind, Trace

KINDS = {
    AttentionKind.ENCODER: "encoder self-attention",
    AttentionKind.DECODER: "masked decoder self-attention",
    AttentionKind.CROSS: "encoder–decoder attention",
}


def layer_and_head(trace: Trace, kind: AttentionKind) -> tuple[int, int]:
    """A layer (−1: all) and a head (−1: the mean); a head alone needs a layer."""
    layers, heads = trace.n_layers(kind), trace.n_heads(kind)
    _within(state.LAYER, layers)
    _within(state.HEAD, heads)
    st.selectbox(
        "Layer",
        [-1, *range(layers)],
        format_func=lambda layer: "all layers" if layer < 0 else f"layer {layer}",
        key=state.key(state.LAYER),
        width=150,
    )
    st.selectbox(
        "Head",
        [-1, *range(heads)],
        format_func=lambda head: f"mean of {heads} heads" if head < 0 else f"head {head}",
        key=state.key(state.HEAD),
        width=170,
    )
    return state.get(state.LAYER), state.get(state.HEAD)


def name_of(layer: int, head: int) -> str:
    """Whose weights: "layer 2, mean of its heads"."""
    if layer < 0:
        return "mean of all layers and heads" if head < 0 else f"head {head}, mean of all layers"
    return f"layer {layer}, " + ("mean of its heads" if head < 0 else f"head {head}")


def exact_place(layers: int, heads: int) -> tuple[int, int]:
    """One layer and one head, no mean."""
    _within(state.WHICH, layers, least=0)
    _within(state.ONE_HEAD, heads, least=0)
    st.selectbox(
        "Layer",
        range(layers),
        format_func=lambda layer: f"layer {layer}",
        key=state.key(state.WHICH),
        width=120,
    )
    st.selectbox(
        "Head",
        range(heads),
        format_func=lambda head: f"head {head}",
        key=state.key(state.ONE_HEAD),
        width=120,
    )
    return state.get(state.WHICH), state.get(state.ONE_HEAD)


def _within(param: Param, count: int, least: int = -1) -> None:
    """Another model may have fewer."""
    if not least <= state.get(param) < count:
        state.put(param, least)
