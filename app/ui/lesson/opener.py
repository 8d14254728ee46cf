"""A lesson from a file: checked when it comes, kept in this session alone."""

from typing import Final

import streamlit as st

from app.ui.file_field import FileField
from app.ui.lesson.draft import choose
from app.ui.lesson.own import open_file
from core.limits import LESSON_BYTES, MB

FIELD: Final = FileField("lesson.own")


def opener() -> None:
    """Ask for the file; what is wrong with one is told below, and the lessons that were stay."""
    with st.popover("Open a lesson file", type="tertiary", icon=":material/upload_file:"):
        with st.container(key="own-file"):
            FIELD.ask(
                f"A lesson: a Markdown file in UTF-8, up to {LESSON_BYTES // MB} MB",
                lambda name, content: choose(open_file(content, name)),
                types=["md", "markdown", "txt"],
            )
        st.caption("It stays in this session: never stored.")
    FIELD.tell_problem()
