"""Where fine-tuning attaches: four kinds of task, on the loaded model's own shapes."""

from functools import partial
from typing import Final

import streamlit as st

from app.components.diagram import diagram, diagram_frame
from app.services import encoder
from app.services.encoder import Given
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.answer import answer, model_name
from app.ui.export_bar import Export, Table
from app.ui.input_line import beside_line, input_line, quoted
from app.ui.page import Figure, View
from app.views.bert import inputs, state
from app.views.bert.attachments import Attachment, attachment, drawing
from app.views.bert.span_answer import span_answer
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


def render() -> Figure | None:
    """Ask for the task and the texts; draw what is added."""
    two = state.TASK.value in ("pair", "answer")
    asks = state.TASK.value == "answer"
    read = (state.QUESTION, state.PASSAGE_TEXT) if asks else (state.TEXT, state.PAIR)
    texts = [param.value for param in read[: 1 + two]]
    with input_line(quoted(*texts), inputs.encoder_title()):
        with beside_line():
            task = state.TASK.segmented("Task", quiet=True)
        card = inputs.encoder_picker()
        first = state.QUESTION.area("Question") if asks else state.TEXT.area("Sentence")
        if asks:
            second = state.PASSAGE_TEXT.area("Passage")
        elif two:
            second = state.PAIR.area("Second sentence")
        else:
            second = ""
            state.LABELS.number_input("Classes")
    if card is None:
        return None
    if two and not second.strip():
        st.info("This task needs a second text: write one.")
        return None
    given = Given(card.id, first, second if two else None)
    trace = progress.outcome(encoder.edited_trace(given)[1], card.id)
    if trace is None:
        return None
    return partial(figure, inputs.loaded(card), given, encoder.encoding_of(trace), task)


def figure(card: ModelCard, given: Given, encoding: Encoding, task: str) -> Export:
    """Everything below the input."""
    added = attachment(task, card.d_model, state.LABELS.value)
    drawn = drawing(task, encoding, card, added)
    answer(
        f"{added.name[0].upper()}{added.name[1:]} adds **{added.parameters:,}** numbers to "
        f"{plain(model_name(card))}’s **{card.parameters:,}**: {plain(added.weights)}."
    )
    chosen = diagram(drawn, key=state.HERE.key(f"attachment.{task}"))
    _detail(chosen, added, card, encoding)
    if task == "answer":
        span_answer(card, given)
    return Export(
        name="fine-tuning",
        caption=f"{card.title} · {state.TASKS[task]}",
        table=lambda: _table(card),
        offline=("diagram", lambda: diagram_frame(drawn)),
    )


def _detail(chosen: str | None, added: Attachment, card: ModelCard, encoding: Encoding) -> None:
    left, right = st.columns([4, 5], gap="large")
    with left:
        st.latex(added.formula)
    with right:
        share = added.parameters / max(1, card.parameters)
        st.markdown(
            f"**Added: {added.name}.** It reads {plain(added.reads)}. The new numbers are "
            f"{share:.2g} of the model's. Input: {len(encoding)} tokens, so the "
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
        for one in [attachment(task, card.d_model, state.LABELS.value)]
    ]
    return ["task", "added", "reads", "weights", "parameters"], rows


VIEW: Final = View(
    "tuning",
    "Fine-tuning",
    (
        *(state.MODEL, state.TEXT, state.PAIR, state.PASSAGE_TEXT, state.TASK, state.LABELS),
        *(state.QUESTION, state.SPANS, state.START, state.END, state.HEAD_SEED),
    ),
    render,
)
