"""The lesson's steps in order: one is open, and can be moved or taken out."""

from typing import Final, NamedTuple

import streamlit as st

from app.content.lessons import Lesson, Step
from app.content.lessons.editing import added, moved, removed
from app.style.markdown_escape import plain
from app.ui.lesson.draft import AT, draft, turn_over
from app.ui.navigation import PLACES
from app.views.editor.field import restructure
from app.views.editor.whole import FIRST

GONE: Final = "editor.gone"  # the step that was taken out last


class Gone(NamedTuple):
    """It can be put back."""

    whole: Lesson | None  # before it was taken out
    without: Lesson | None
    at: int


def outline(lesson: Lesson, language: str) -> int:
    """Draw it; which step is open."""
    at = min(st.session_state.get(AT, 0), len(lesson.steps) - 1)
    said = lesson.said_in(language)
    with st.container(key="editor-outline", gap=None):
        for number, step in enumerate(said.steps):
            with st.container(key=f"editor-step-{number}" + ("-open" if number == at else "")):
                st.button(
                    f"{number + 1}\\. {plain(step.title)}",
                    key=f"editor.open.{number}",
                    type="tertiary",
                    width="stretch",
                    on_click=turn_over,
                    args=(number,),
                )
                st.caption(_told(step))
            if number == at:
                _hands(lesson, at)
        st.button(
            "New step",
            key="editor.new",
            type="tertiary",
            icon=":material/add:",
            on_click=lambda: restructure(lambda here: added(here, FIRST, at + 1), at + 1),
        )
        _put_back(lesson)
    minutes = sum(step.minutes for step in said.steps)
    st.caption(f"{len(said.steps)} steps, about {minutes} minutes")
    return at


def _told(step: Step) -> str:
    asks = " · predict" if step.predict is not None else ""
    return f"{PLACES[step.page].label} · {step.minutes} min{asks}"


def _hands(lesson: Lesson, at: int) -> None:
    last = len(lesson.steps) - 1
    with st.container(key="editor-hands", horizontal=True):
        for label, icon, to, off in (
            ("Earlier", "arrow_upward", at - 1, at == 0),
            ("Later", "arrow_downward", at + 1, at == last),
        ):
            st.button(
                label,
                help=label,
                key=f"editor.{label}",
                type="tertiary",
                icon=f":material/{icon}:",
                disabled=off,
                on_click=_move,
                args=(at, to),
            )
        st.button(
            "Remove",
            key="editor.remove",
            type="tertiary",
            icon=":material/delete:",
            disabled=last == 0,
            help="A lesson needs one step" if last == 0 else "Remove",
            on_click=_remove,
            args=(at,),
        )


def _put_back(lesson: Lesson) -> None:
    gone: Gone | None = st.session_state.get(GONE)
    if gone is not None and gone.whole is not None and gone.without == lesson:
        whole = gone.whole
        title = plain(whole.steps[gone.at].title)
        st.button(
            f"Put back “{title}”",
            key="editor.back",
            type="tertiary",
            icon=":material/undo:",
            on_click=lambda: restructure(lambda _: whole, gone.at),
        )


def _move(at: int, to: int) -> None:
    restructure(lambda here: moved(here, at, to), to)


def _remove(at: int) -> None:
    whole = draft()
    restructure(lambda here: removed(here, at), at)
    st.session_state[GONE] = Gone(whole, draft(), at)
