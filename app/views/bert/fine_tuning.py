"""Where fine-tuning attaches: four kinds of task, on the loaded model's own shapes."""

import streamlit as st

from app.components.diagram import diagram, diagram_frame
from app.services import encoder
from app.services.encoder import Given
from app.style.markdown_escape import plain
from app.ui import progress
from app.views.bert import inputs, state
from app.views.bert.attachments import Attachment, attachment, drawing
from app.views.bert.exports import Table, export_row
from app.views.bert.span_answer import span_answer
from app.views.bert.words import about_fine_tuning
from core.catalog import ModelCard
from core.trace import Encoding

DETAILS = {
    "result": "What the task's own loss compares with the labels.",
    "added": "The only part that is new. It begins random and is trained together with the rest.",
    "model": (
        "All of it is trained further, with a learning rate of 2e-5 to 5e-5, for 2 to 4 epochs "
        "(Devlin et al. 2019, appendix A.3)."
    ),
}


def render() -> None:
    """Ask for the task and the texts; draw what is added."""
    notices = st.container()
    task = _task()
    left, middle, right = st.columns([5, 4, 4], vertical_alignment="bottom")
    with right:
        card = inputs.choose_model(state, inputs.ENCODERS, notices=notices)
    two = task in ("pair", "answer")
    with left:
        if task == "answer":
            first = st.text_area("Question", key=state.key(state.QUESTION), height=68)
        else:
            first = st.text_area("Sentence", key=state.key(state.TEXT), height=68)
    with middle:
        if task == "answer":
            second = st.text_area("Passage", key=state.key(state.PASSAGE_TEXT), height=68)
        elif two:
            second = st.text_area("Second sentence", key=state.key(state.PAIR), height=68)
        else:
            second = ""
            st.number_input("Classes", 2, 100, key=state.key(state.LABELS))
    if two and not second.strip():
        st.info("This task needs a second text: write one.")
        return
    given = Given(card.id, first, second if two else None)
    trace = progress.outcome(encoder.edited_trace(given)[1], card.id)
    if trace is not None:
        figure(inputs.loaded(card), given, encoder.encoding_of(trace), task)


@st.fragment
def figure(card: ModelCard, given: Given, encoding: Encoding, task: str) -> None:
    """Everything below the input."""
    state.keep(state.SPANS, state.START, state.END, state.HEAD_SEED)
    added = attachment(task, card.d_model, state.get(state.LABELS))
    drawn = drawing(task, encoding, card, added)
    chosen = diagram(drawn, key=f"{state.PAGE}.attachment.{task}")
    _detail(chosen, added, card, encoding)
    if task == "answer":
        span_answer(card, given)
    about_fine_tuning()
    export_row(
        name="fine-tuning",
        caption=f"{card.title} · {state.TASKS[task]}",
        table=lambda: _table(card),
        offline=("diagram", lambda: diagram_frame(drawn)),
    )


def _task() -> str:
    st.segmented_control(
        "Task",
        list(state.TASKS),
        format_func=state.TASKS.__getitem__,
        key=state.key(state.TASK),
        required=True,
        label_visibility="collapsed",
    )
    return state.get(state.TASK)


def _detail(chosen: str | None, added: Attachment, card: ModelCard, encoding: Encoding) -> None:
    left, right = st.columns([4, 5], gap="large")
    with left:
        st.latex(added.formula)
    with right:
        share = added.parameters / max(1, card.parameters)
        st.markdown(
            f"**Added: {added.name}.** It reads {plain(added.reads)}. {plain(added.weights)}: "
            f"**{added.parameters:,} new numbers** beside {plain(card.title)}'s "
            f"{card.parameters:,} ({share:.2g} of them). Input: {len(encoding)} tokens, so the "
            f"encoder gives {len(encoding)} × {card.d_model} numbers."
        )
        if chosen in DETAILS:
            st.caption(DETAILS[chosen])
        elif chosen is not None:
            place = int("".join(filter(str.isdigit, chosen)) or 0)
            st.caption(
                "[CLS] stands for the whole input."
                if place == 0
                else "Each token has its own vector, which knows the whole input."
            )


def _table(card: ModelCard) -> Table:
    rows = [
        (title, one.name, one.reads, one.weights, one.parameters)
        for task, title in state.TASKS.items()
        for one in [attachment(task, card.d_model, state.get(state.LABELS))]
    ]
    return ["task", "added", "reads", "weights", "parameters"], rows
