"""Where does this head look? Every attention head of a text model, on the reader's sentence."""

import streamlit as st

from app.content import examples
from app.services import engine
from app.services.engine import TextTrace
from app.ui import params, progress
from app.ui.model_picker import choose_model
from app.views.attention import state
from app.views.attention.figure import figure
from core.catalog import Family, ModelCard

SECOND_FIELD = {
    Family.TEXT_ENCODER: (state.PAIR, "Second sentence (optional)", "leave empty for one sentence"),
    Family.TRANSLATOR: (
        state.TARGET,
        "Your own target text (optional)",
        "leave empty: the model decodes greedily",
    ),
}


def render() -> None:
    """Ask for a sentence, run the model, draw its heads."""
    if params.seed(state.PAGE, state.PARAMS) and not st.query_params:
        _show_example(examples.ATTENTION[0])  # a first screen that makes the point
    st.title("Where does this head look?")
    with st.container(key="lead"):
        st.markdown(
            "Each head of each layer decides, for every token, how much it looks at every other. "
            "Choose a head, then click a cell to see its arithmetic."
        )
    card = _input()
    second = SECOND_FIELD.get(card.family)
    request, future = engine.request_trace(
        card.id,
        state.get(state.TEXT),
        **({second[0].name: state.get(second[0]) or None} if second else {}),
    )
    trace = progress.outcome(future, card.id)
    if trace is None:
        return
    loaded = progress.outcome(engine.loaded_card(card.id), card.id) or card
    figure(TextTrace(request, trace), loaded)


def _input() -> ModelCard:
    """The model, the sentence and its examples; returns the chosen model's card."""
    notices = st.container()
    left, middle, right = st.columns([5, 4, 4], vertical_alignment="bottom")
    with right:
        card = choose_model(state, engine.TEXT_FAMILIES, notices=notices)
    with left:
        st.text_area("Sentence", key=state.key(state.TEXT), height=68)
    with middle:
        if second := SECOND_FIELD.get(card.family):
            param, label, hint = second
            st.text_area(label, key=state.key(param), height=68, placeholder=hint)
    st.pills(
        "Examples",
        [example.label for example in examples.ATTENTION],
        key=f"{state.PAGE}.example",
        on_change=_take_example,
        label_visibility="collapsed",
    )
    return card


def _take_example() -> None:
    label = st.session_state[f"{state.PAGE}.example"]
    for example in examples.ATTENTION:
        if example.label == label:
            _show_example(example)
    st.session_state[f"{state.PAGE}.example"] = None


def _show_example(example: examples.Example) -> None:
    state.put(state.TEXT, example.text)
    state.put(state.PAIR, example.pair)
    state.put(state.HEADS, example.heads)
    state.put(state.CELL, example.cell)
    state.put(state.PIN, example.pin)
