"""The reader's prompt and the model: what several views of the GPT page share."""

from dataclasses import dataclass

import streamlit as st

from app.services import decoder, engine
from app.ui import params, progress
from app.ui.model_picker import choose_model
from app.views.gpt import state, tree
from core.catalog import Family, ModelCard

DECODERS = (Family.TEXT_DECODER,)


@dataclass(frozen=True, slots=True)
class Opened:
    """The model of a view, once it is open."""

    card: ModelCard
    vocabulary: tuple[str, ...]


PROMPTS = {
    "background music": state.PROMPT,
    "a capital": "Paris is the capital of",
    "one day": "One day, a little girl went to the",
    "born in": "He was born in",
    "a number": "2, 4, 6, 8,",
    "copy me": "red blue green red blue",
}


def prompt_input() -> Opened | None:
    """The prompt, its examples and the model; None after an error was shown."""
    notices = st.container()
    left, right = st.columns([9, 4], vertical_alignment="bottom")
    with right:
        card = choose_model(state, DECODERS, notices=notices)
    _forget_other_models_tree(card)
    with left:
        st.text_area("Prompt", key=state.key(state.TEXT), height=68, on_change=_other_prompt)
    st.pills(
        "Examples",
        list(PROMPTS),
        key=f"{state.PAGE}.example",
        on_change=_take_prompt,
        label_visibility="collapsed",
    )
    return opened(card)


def text_input(param: params.Param, label: str, examples: dict[str, str]) -> Opened | None:
    """Another text than the prompt, its examples and the model."""
    notices = st.container()
    left, right = st.columns([9, 4], vertical_alignment="bottom")
    with right:
        card = choose_model(state, DECODERS, notices=notices)
    with left:
        st.text_area(label, key=state.key(param), height=68)
    key = f"{state.PAGE}.example.{param.name}"

    def take() -> None:
        if (chosen := st.session_state[key]) in examples:
            state.put(param, examples[chosen])
        st.session_state[key] = None

    st.pills("Examples", list(examples), key=key, on_change=take, label_visibility="collapsed")
    return opened(card)


def model_input() -> Opened | None:
    """The model alone."""
    return opened(choose_model(state, DECODERS))


def opened(card: ModelCard) -> Opened | None:
    """The opened model's card and vocabulary; None after its error was shown."""
    vocabulary = progress.outcome(decoder.vocabulary(card.id), card.id)
    if vocabulary is None:
        return None
    loaded = progress.outcome(engine.loaded_card(card.id), card.id)
    return Opened(loaded or card, vocabulary)


def _other_prompt() -> None:
    """A tree belongs to its prompt."""
    state.put(state.TREE, tree.Tree())
    state.put(state.PLACE, -1)


def _forget_other_models_tree(card: ModelCard) -> None:
    """Its ids mean other tokens here."""
    key = f"{state.PAGE}.tree-of"
    if st.session_state.get(key, card.id) != card.id:
        state.put(state.TREE, tree.Tree())
    st.session_state[key] = card.id


def _take_prompt() -> None:
    chosen = st.session_state[f"{state.PAGE}.example"]
    if chosen in PROMPTS:
        state.put(state.TEXT, PROMPTS[chosen])
        _other_prompt()
    st.session_state[f"{state.PAGE}.example"] = None
