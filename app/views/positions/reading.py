"""The reader's text, a model and one of its heads: what two views ask for alike."""

from collections.abc import Sequence

import streamlit as st

from app.ui import model_picker
from app.views.positions import state
from core.catalog import Family, ModelCard
from core.trace import AttentionKind, Encoding, Trace

EXAMPLES = {
    "capital of …": state.DEFAULT_TEXT,
    "the same, turned": "The capital of France is [MASK].",
    "Victor Hugo": "The native language of Victor Hugo is [MASK].",
    "the door": "She opened the [MASK] and walked into the room.",
}


def ask(families: Sequence[Family]) -> ModelCard:
    """Text, model, examples; returns the chosen model's card."""
    left, right = st.columns([8, 5], vertical_alignment="bottom")
    with right:
        card = model_picker.choose_model(state, families)
    with left:
        st.text_input("Text", key=state.key(state.TEXT), max_chars=2000)
    st.pills(
        "Examples",
        list(EXAMPLES),
        key=f"{state.PAGE}.example",
        on_change=_take_example,
        label_visibility="collapsed",
    )
    return card


def _take_example() -> None:
    chosen = st.session_state[f"{state.PAGE}.example"]
    if chosen in EXAMPLES:
        state.put(state.TEXT, EXAMPLES[chosen])
    st.session_state[f"{state.PAGE}.example"] = None


def choose_head(trace: Trace, kind: AttentionKind) -> tuple[int, int]:
    """Sliders for layer and head, kept within what the model has."""
    layers = trace.n_layers(kind)
    state.put(state.LAYER, min(state.get(state.LAYER), layers - 1))
    left, right = st.columns(2)
    with left:
        layer = _slider("Layer", state.LAYER.name, layers)
    heads = trace.n_heads(kind, layer)
    state.put(state.HEAD, min(state.get(state.HEAD), heads - 1))
    with right:
        head = _slider("Head", state.HEAD.name, heads)
    return layer, head


def labels(encoding: Encoding, places: Sequence[int] | None = None) -> tuple[str, ...]:
    """The tokens, each with the position that it was given if that is not its own."""
    if places is None:
        return encoding.tokens
    return tuple(
        token if place == index else f"{token}@{place}"
        for index, (token, place) in enumerate(zip(encoding.tokens, places, strict=True))
    )


def _slider(label: str, name: str, count: int) -> int:
    if count < 2:
        st.caption(f"{label} 0 is the only one.")
        return 0
    return st.slider(label, 0, count - 1, key=f"{state.PAGE}.{name}")
