"""A lesson from a file: checked when it comes, kept in this session alone."""

from typing import Final, cast

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.lesson.draft import choose
from app.ui.lesson.own import open_file
from app.ui.uploaded import content_of, given_in
from core.errors import InputError
from core.limits import LESSON_BYTES, MB

TURN: Final = "lesson.file-turn"  # every file has a field of its own, so that its bytes can go
PROBLEM: Final = "lesson.file-problem"
MOST_SENT: Final = 64  # MB that may come, only to be told that they are too many


def opener() -> None:
    """Ask for the file; what is wrong with one is told below, and the lessons that were stay."""
    field = f"lesson.file:{st.session_state.setdefault(TURN, 0)}"
    with st.popover("Open a lesson file", type="tertiary", icon=":material/upload_file:"):
        with st.container(key="own-file"):
            st.file_uploader(
                f"A lesson: a Markdown file in UTF-8, up to {LESSON_BYTES // MB} MB",
                type=["md", "markdown", "txt"],
                max_upload_size=MOST_SENT,
                key=field,
                on_change=_take,
                args=(field,),
            )
        st.caption("It stays in this session: never stored.")
    if problem := cast("str | None", st.session_state.get(PROBLEM)):
        st.warning(plain(problem), icon=":material/info:")


def _take(field: str) -> None:
    st.session_state.pop(PROBLEM, None)
    given = next(iter(given_in(field)), None)
    if given is None:
        return
    st.session_state[TURN] += 1
    try:
        with content_of(given) as content:
            choose(open_file(content, given.name))
    except InputError as error:
        st.session_state[PROBLEM] = str(error)
