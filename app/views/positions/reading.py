"""The reader's text, a model and one of its heads: what two views ask for alike."""

from collections.abc import Sequence

import streamlit as st

from app.services import models
from app.ui.examples import example_chips
from app.ui.input_line import input_line, quoted
from app.ui.model_picker import model_title, pick_model
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
    cards = models.cards(*families)
    with input_line(quoted(state.TEXT.value), model_title(state.MODEL, cards)):
        state.TEXT.line("Text", max_chars=2000)
        card = pick_model(state.MODEL, cards, problems=models.problems())
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
