"""The reader's text, a model and one of its heads: what two views ask for alike."""

from collections.abc import Sequence

import streamlit as st

from app.services import models
from app.ui.examples import example_chips
from app.ui.model_picker import pick_model
from app.ui.params import Number
from app.views.positions import state
from core.catalog import Family, ModelCard
from core.trace import AttentionKind, Encoding, Trace

EXAMPLES = {
    "capital of …": state.DEFAULT_TEXT,
    "the same, turned": "The capital of France is [MASK].",
    "Victor Hugo": "The native language of Victor Hugo is [MASK].",
    "the door": "She opened the [MASK] and walked into the room.",
}


def ask(families: Sequence[Family]) -> ModelCard | None:
    """Text, model, examples; returns the chosen model's card."""
    left, right = st.columns([8, 5], vertical_alignment="bottom")
    with right:
        card = pick_model(state.MODEL, models.cards(*families), problems=models.problems())
    with left:
        state.TEXT.line("Text", max_chars=2000)
    example_chips(EXAMPLES, state.TEXT.put, key=state.HERE.key("example"), text=state.TEXT)
    return card


def choose_head(trace: Trace, kind: AttentionKind) -> tuple[int, int]:
    """Sliders for layer and head, kept within what the model has."""
    layers = trace.n_layers(kind)
    left, right = st.columns(2)
    with left:
        layer = _slider("Layer", state.LAYER, layers)
    heads = trace.n_heads(kind, layer)
    with right:
        head = _slider("Head", state.HEAD, heads)
    return layer, head


def labels(encoding: Encoding, places: Sequence[int] | None = None) -> tuple[str, ...]:
    """The tokens, each with the position that it was given if that is not its own."""
    if places is None:
        return encoding.tokens
    return tuple(
        token if place == index else f"{token}@{place}"
        for index, (token, place) in enumerate(zip(encoding.tokens, places, strict=True))
    )


def _slider(label: str, param: Number[int], count: int) -> int:
    if count < 2:
        st.caption(f"{label} 0 is the only one.")
        return 0
    return param.slider(label, 0, count - 1)
