"""The reader's sentence and the model: what every view of the Transformer page begins with."""

from dataclasses import dataclass

import streamlit as st

from app.services import engine, translator
from app.ui import progress
from app.ui.model_picker import choose_model
from app.views.transformer import state
from core.catalog import ModelCard


@dataclass(frozen=True)
class Example:
    """A sentence behind a chip, and a German one for teacher forcing."""

    label: str
    text: str
    target: str


EXAMPLES = (
    Example("it: sie or es?", state.TEXT.default, state.TARGET.default),
    Example(
        "the verb goes last",
        "I know that you have read the book.",
        "Ich weiß, dass du das Buch gelesen hast.",
    ),
    Example(
        "greedy errs",
        "My sister has bought a new car.",
        "Meine Schwester hat ein neues Auto gekauft.",
    ),
    Example(
        "the wrong bank",
        "He is sitting on the bank of the river.",
        "Er sitzt am Ufer des Flusses.",
    ),
)


def ask(*, target: bool = False) -> ModelCard | None:
    """The text, perhaps the target, the examples and the model; None where nothing can be run."""
    notices = st.container()
    widths = [9, 9, 7] if target else [9, 4]
    columns = st.columns(widths, vertical_alignment="bottom")
    with columns[-1]:
        card = choose_model(state, translator.FAMILIES, notices=notices)
    if st.session_state.setdefault(f"{state.PAGE}.of-model", card.id) != card.id:
        st.session_state[f"{state.PAGE}.of-model"] = card.id
        _forget()
    with columns[0]:
        st.text_area("English", key=state.key(state.TEXT), height=68, on_change=_forget)
    if target:
        with columns[1]:
            st.text_area("Your German", key=state.key(state.TARGET), height=68)
    st.pills(
        "Examples",
        [example.label for example in EXAMPLES],
        key=f"{state.PAGE}.example",
        on_change=_take_example,
        label_visibility="collapsed",
    )
    if card.repository.startswith("google-t5/"):
        st.caption("T5 does many tasks: begin the text with “translate English to German: ”.")
    return progress.outcome(engine.loaded_card(card.id), card.id)


def show_example(example: Example) -> None:
    """Put a sentence in place, and go to its start."""
    state.put(state.TEXT, example.text)
    state.put(state.TARGET, example.target)
    _forget()


def _take_example() -> None:
    label = st.session_state[f"{state.PAGE}.example"]
    for example in EXAMPLES:
        if example.label == label:
            show_example(example)
    st.session_state[f"{state.PAGE}.example"] = None


def _forget() -> None:
    """What belonged to another sentence's tokens, or another model's."""
    for param in (state.PREFIX, state.STEP, state.DEPTH, state.NODE, state.CELL, state.AT):
        state.put(param, param.default)


def seed_model() -> None:
    """The default model is the one at hand; a link's own stays."""
    if "model" not in st.query_params and state.get(state.MODEL) == state.MODEL.default:
        state.put(state.MODEL, translator.default_model())
