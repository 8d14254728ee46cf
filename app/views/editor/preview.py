"""The open step as it will be seen beside its page."""

import streamlit as st

from app.content.lessons import Lesson
from app.style.markdown_escape import plain
from app.ui import page_links
from app.ui.lesson import Place, words


def preview(lesson: Lesson, language: str, at: int) -> None:
    """Draw it in this language."""
    step = lesson.said_in(language).steps[at]
    with st.container(key="editor-preview"):
        with st.container(key="lesson-step"):
            st.caption(f"**{plain(lesson.title)}**")
            st.markdown(f"### {plain(step.title)}")
            words(step.text, lesson.pictures)
            if step.predict is not None:
                st.markdown(f"**{step.predict.question}**")
            if step.reveal:
                st.markdown(step.reveal)
            if step.notes:
                st.caption(f"Notes: {step.notes}")
        place = Place(lesson.id, at, "" if language == lesson.language else language)
        page_links.link(step.page, "Play from here", place.link, icon=":material/play_arrow:")
