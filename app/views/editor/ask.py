"""What is to be predicted before the page opens: its kind, the question, what it is asked of."""

from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from typing import Final

import streamlit as st

from app.content.lessons import Lesson, Predict, Step
from app.services.questions import QUESTIONS, question
from app.style.markdown_escape import plain
from app.views.editor.field import field
from core.errors import InputError

NOTHING: Final = "nothing"
PROPOSED: Final = "What do you expect?"
Asking = Callable[[Predict | None], Predict | None]
Putting = Callable[[Lesson, Asking], Lesson]
A_ROW: Final = 3  # fields


def ask(name: str, step: Step, put: Putting) -> None:
    """Draw its fields; name: of the step. put: makes a lesson with what is asked then."""
    asked = step.predict

    def choose(lesson: Lesson, kind: str) -> Lesson:
        return put(lesson, lambda old: None if kind == NOTHING else _of_kind(kind, old))

    def say(lesson: Lesson, question: str) -> Lesson:
        return put(lesson, lambda old: replace(old, question=question) if old else None)

    field(
        st.selectbox,
        "To predict before the page opens",
        f"{name}.ask",
        NOTHING if asked is None else asked.ask,
        choose,
        options=[NOTHING, *QUESTIONS],
    )
    if asked is None:
        return
    field(
        st.text_input,
        "The question",
        f"{name}.question",
        asked.question,
        say,
    )
    _fields(name, step, asked, put)
    try:
        question(asked.ask, asked.fields, step.state)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")


def _of_kind(kind: str, old: Predict | None) -> Predict:
    return Predict(kind, PROPOSED if old is None else old.question, {})


def _filled(asked: Predict, name: str, typed: str) -> Predict:
    """Empty: as the step's link has it."""
    others = {other: said for other, said in asked.fields.items() if other != name}
    return replace(asked, fields={**others, name: typed} if typed.strip() else others)


def _fields(name: str, step: Step, asked: Predict, put: Putting) -> None:
    """What the question needs; the link's own where a field is empty."""

    def putting(one: str) -> Callable[[Lesson, str], Lesson]:
        return lambda lesson, typed: put(
            lesson, lambda old: None if old is None else _filled(old, one, typed)
        )

    known = fields(QUESTIONS[asked.ask])  # type: ignore[arg-type]
    for first in range(0, len(known), A_ROW):
        columns = st.columns(A_ROW, gap="small")
        for column, one in zip(columns, known[first : first + A_ROW], strict=False):
            needed = one.default is MISSING and one.name not in step.state
            with column:
                field(
                    st.text_input,
                    one.name.capitalize() + ("" if needed else " (if not the link’s)"),
                    f"{name}.asked-{one.name}",
                    asked.fields.get(one.name, ""),
                    putting(one.name),
                    placeholder=step.state.get(one.name, ""),
                )
