"""Make a lesson: its steps in order, each with its words, shared as a file or a link."""

from typing import Final

import streamlit as st

from app.ui.lesson.draft import draft
from app.ui.page import Leaflet
from app.views.editor.outline import outline
from app.views.editor.preview import preview
from app.views.editor.step import step
from app.views.editor.whole import beginning, whole

LEAD: Final = (
    "Find a view, press **Add to my lesson** at the foot of its page, and come back: here the "
    "steps get their order and their words. It stays in this session: download it to keep it."
)


def render() -> None:
    """Which lesson; its steps, one of them open, as a reader will see it."""
    st.title("Make a lesson")
    with st.container(key="lead"):
        st.markdown(LEAD)
    lesson = draft()
    if lesson is None:
        beginning()
        return
    language = whole(lesson)
    with st.container(key="editor"):
        steps, words, seen = st.columns([3, 6, 4], gap="large")
        with steps:
            at = outline(lesson, language)
        with words:
            step(lesson, language, at)
        with seen:
            preview(lesson, language, at)


PAGE: Final = Leaflet("editor", render)
