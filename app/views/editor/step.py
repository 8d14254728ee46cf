"""The step that is open: its words, its link, what is to be predicted."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from app.content.lessons import Lesson
from app.content.lessons.editing import changed
from app.content.lessons.lesson import OPENED_ON
from app.content.lessons.reading import LONGEST, read_link
from app.content.lessons.writing import link
from app.ui.lesson.own import PAGES
from app.views.editor.ask import Asking, ask
from app.views.editor.field import field
from app.views.editor.pictures import pictures

WORDS: Final = 220  # pixels of the text's field
FEW: Final = 90  # and of what is said in a few sentences


def _called(picture: str) -> str:
    return picture or "the link’s sample"


def step(lesson: Lesson, language: str, at: int) -> None:
    """Draw its fields."""
    shown = lesson.said_in(language).steps[at]

    def put(name: str) -> Callable[[Lesson, Any], Lesson]:
        return lambda lesson, typed: changed(lesson, language, at, **{name: typed})

    def put_link(lesson: Lesson, typed: str) -> Lesson:
        page, state = read_link(typed, PAGES)
        return changed(lesson, language, at, page=page, state=state)

    def put_asked(lesson: Lesson, change: Asking) -> Lesson:
        asked = lesson.said_in(language).steps[at].predict
        return changed(lesson, language, at, predict=change(asked))

    name = f"{lesson.id}.{language}.{at}"
    with st.container(key="editor-words"):
        field(st.text_input, "Title of the step", f"{name}.step", shown.title, put("title"))
        field(
            st.text_area,
            "What is said beside the page, in Markdown",
            f"{name}.text",
            shown.text,
            put("text"),
            height=WORDS,
        )
        pictures(lesson, at)
        where, minutes = st.columns([5, 1], gap="small")
        with where:
            field(
                st.text_input,
                "The page beside it: what “Copy link” gives there",
                f"{name}.link",
                link(shown),
                put_link,
            )
        with minutes:
            field(
                st.number_input,
                "Minutes",
                f"{name}.minutes",
                shown.minutes,
                put("minutes"),
                min_value=1,
                max_value=LONGEST,
            )
        if shown.page in OPENED_ON and lesson.pictures:
            field(
                st.selectbox,
                "The picture that the page opens with",
                f"{name}.picture",
                shown.picture,
                put("picture"),
                options=["", *lesson.pictures],
                format_func=_called,
            )
        ask(name, shown, put_asked)
        if shown.predict is not None:
            field(
                st.text_area,
                "What is said once the model has answered: {{answer}} and {{value}} stand for it",
                f"{name}.reveal",
                shown.reveal,
                put("reveal"),
                height=FEW,
            )
        field(
            st.text_area,
            "Notes for who teaches",
            f"{name}.notes",
            shown.notes,
            put("notes"),
            height=FEW,
        )
