"""Which layer and head: selectors that several views share."""

import streamlit as st

from app.components.head_grid.names import HeadNames
from app.ui.head_names import named_head
from app.ui.options import one_of
from app.views.transformer.state import HEAD, LAYER, NAMES, ONE_HEAD, ONE_LAYER
from core.trace import AttentionKind, Trace


def layer_and_head(trace: Trace, kind: AttentionKind) -> tuple[int, int]:
    """A layer (−1: all) and a head (−1: the mean); a head alone needs a layer."""
    layers, heads = trace.n_layers(kind), trace.n_heads(kind)
    names = NAMES.names(trace.model_id, kind)
    LAYER.below(layers)
    HEAD.below(heads)
    layer = one_of(
        LAYER,
        st.selectbox,
        "Layer",
        [-1, *range(layers)],
        lambda layer: "all layers" if layer < 0 else f"layer {layer}",
        width=150,
    )
    one_of(
        HEAD,
        st.selectbox,
        "Head",
        [-1, *range(heads)],
        lambda head: f"mean of {heads} heads" if head < 0 else _named(names, layer, head),
        width=200,
    )
    return LAYER.value, HEAD.value


def name_of(layer: int, head: int) -> str:
    """Whose weights: "layer 2, mean of its heads"."""
    if layer < 0:
        return "mean of all layers and heads" if head < 0 else f"head {head}, mean of all layers"
    return f"layer {layer}, " + ("mean of its heads" if head < 0 else f"head {head}")


def exact_place(trace: Trace, kind: AttentionKind) -> tuple[int, int]:
    """One layer and one head, no mean."""
    layers, heads = trace.n_layers(kind), trace.n_heads(kind)
    names = NAMES.names(trace.model_id, kind)
    ONE_LAYER.below(layers)
    ONE_HEAD.below(heads)
    layer = one_of(
        ONE_LAYER, st.selectbox, "Layer", range(layers), lambda layer: f"layer {layer}", width=120
    )
    one_of(
        ONE_HEAD,
        st.selectbox,
        "Head",
        range(heads),
        lambda head: named_head(names, layer, head),
        width=200,
    )
    return ONE_LAYER.value, ONE_HEAD.value


def _named(names: HeadNames | None, layer: int, head: int) -> str:
    """A head of all layers has no name."""
    return named_head(names if layer >= 0 else None, layer, head)
