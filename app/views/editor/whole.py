"""The lesson as a whole: which one, its title, the ways to play, keep and share it."""

from urllib.parse import urlencode, urlsplit

import streamlit as st

from app.content.lessons import Lesson, Step, shipped
from app.content.lessons.editing import entitled
from app.content.lessons.writing import write
from app.style.markdown_escape import plain
from app.ui import page_links
from app.ui.downloads import download
from app.ui.lesson import Place, opener
from app.ui.lesson.draft import begin, choose
from app.ui.lesson.own import own
from app.ui.options import option_widget
from app.views.editor.field import field
from core.limits import LESSON_LINK

FIRST = Step(
    "A first step",
    "What is to be seen here, in a few sentences of Markdown.",
    "attention",
    {},
    2,
)


def beginning() -> None:
    """Ways to begin, as long as there is none."""
    with st.container(key="editor-begin", width=640):
        st.markdown("A lesson of your own begins with one step, or as a copy of one that is here.")
        _begin()
        opener()


def whole(lesson: Lesson) -> str:
    """Draw it; the language whose words are changed."""
    _actions(lesson)
    language = lesson.language
    if len(lesson.languages) > 1:
        names = {one.language: one.language_name for one in (lesson, *lesson.others)}
        key = f"editor.language.{lesson.id}"
        language = str(st.session_state.get(f"{key}.chosen", language))
        option_widget(
            st.segmented_control,
            "Language",
            lesson.languages,
            lambda one: names[one],
            key=key,
            shown=language,
            take=lambda one: st.session_state.update({f"{key}.chosen": one or lesson.language}),
            label_visibility="collapsed",
        )
    said, name = lesson.said_in(language), f"{lesson.id}.{language}"
    with st.container(key="editor-whole"):
        title, about = st.columns([1, 2], gap="medium")
    with title:
        field(
            st.text_input,
            "Title",
            f"{name}.title",
            said.title,
            lambda lesson, typed: entitled(lesson, language, title=typed),
        )
    with about:
        field(
            st.text_input,
            "What it is about",
            f"{name}.about",
            said.about,
            lambda lesson, typed: entitled(lesson, language, about=typed),
        )
    return language


def _actions(lesson: Lesson) -> None:
    with st.container(key="editor-actions", horizontal=True, vertical_alignment="center"):
        start = Place(lesson.id, 0)
        page_links.link(start.shown.page, "Play", start.link, icon=":material/play_arrow:")
        download("Download the file", lambda: write(lesson), f"{lesson.id}.md", "text/markdown")
        with st.popover("Link", type="tertiary"):
            _link(start)
        with st.popover("Other lessons", type="tertiary"):
            for name, kept in own().items():
                if name != lesson.id:
                    st.button(
                        plain(kept.lesson.title),
                        key=f"editor.choose.{name}",
                        on_click=choose,
                        args=(name,),
                        icon=":material/edit:",
                    )
            _begin()
            opener()


def _begin() -> None:
    st.button(
        "Begin with an empty step",
        type="primary" if not own() else "tertiary",
        icon=":material/add:",
        on_click=begin,
        args=(None, FIRST),
    )
    with st.container(gap=None):
        for one in shipped().values():
            st.button(
                f"Begin with a copy of “{plain(one.title)}”",
                type="tertiary",
                icon=":material/content_copy:",
                on_click=begin,
                args=(one, FIRST),
            )


def _link(start: Place) -> None:
    """All of the lesson, from its first step on."""
    packed = own()[start.lesson].packed
    if packed is None:
        if own()[start.lesson].lesson.pictures:
            st.markdown(
                "A lesson with pictures is too large for a link. Download the file and give that; "
                "it is opened on the home page."
            )
            return
        st.markdown(
            f"The lesson is too long for a link: packed, it has more than {LESSON_LINK:,} "
            "characters. Download the file and give that; it is opened on the home page."
        )
        return
    here = urlsplit(st.context.url or "")
    base = here.path.rpartition("/")[0]
    address = f"{here.scheme}://{here.netloc}{base}/{start.shown.page}?{urlencode(start.link)}"
    st.markdown("The whole lesson is in this link, from its first step on.")
    st.code(address, language=None, height=120, wrap_lines=True)
    st.caption(f"The lesson takes {len(packed):,} of {LESSON_LINK:,} characters.")
