"""Where does this head look? Every attention head of a text model, on the reader's sentence."""

import streamlit as st

from app import examples, inference, links, waiting
from app.inference import TextTrace
from app.plain import plain
from app.views.attention import state
from app.views.attention.figure import figure
from core.catalog import Family, ModelCard

UNKNOWN = f"{state.PAGE}.unknown-model"  # a link's model that is not on offer
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
    if links.seed(state.PAGE, state.PARAMS) and not st.query_params:
        _show_example(examples.ATTENTION[0])  # a first screen that makes the point
    st.title("Where does this head look?")
    with st.container(key="lead"):
        st.markdown(
            "Each head of each layer decides, for every token, how much it looks at every other. "
            "Choose a head, then click a cell to see its arithmetic."
        )
    card = _input()
    second = SECOND_FIELD.get(card.family)
    request, future = inference.request_trace(
        card.id,
        state.get(state.TEXT),
        **({second[0].name: state.get(second[0]) or None} if second else {}),
    )
    trace = waiting.outcome(future, card.id)
    if trace is None:
        return
    loaded = waiting.outcome(inference.loaded_card(card.id), card.id) or card
    figure(TextTrace(request, trace), loaded)


def _input() -> ModelCard:
    """The model, the sentence and its examples; returns the chosen model's card."""
    models = inference.text_models()
    by_id = {card.id: card for card in models.cards}
    if state.get(state.MODEL) not in by_id:
        st.session_state[UNKNOWN] = state.get(state.MODEL)
        state.put(state.MODEL, models.cards[0].id)
    if asked := st.session_state.get(UNKNOWN):
        st.info(
            f"There is no model “{plain(asked)}” here; showing {models.cards[0].title} instead."
        )
    for problem in models.problems:
        st.warning(f"A directory of {inference.OWN_CHECKPOINTS} can't be used. {plain(problem)}")
    left, middle, right = st.columns([5, 4, 4], vertical_alignment="bottom")
    with right:
        chosen = st.selectbox(
            "Model",
            list(by_id),
            format_func=lambda name: _title(by_id[name]),
            key=state.key(state.MODEL),
            on_change=lambda: st.session_state.pop(UNKNOWN, None),
        )
    card = by_id[chosen]
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


def _title(card: ModelCard) -> str:
    size = f" · {card.size}" if card.parameters else ""  # a directory's is known once it is open
    network = " · needs a network" if inference.needs_network(card) else ""
    return f"{card.title}{size}{network}"
