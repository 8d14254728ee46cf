"""What is this? Home: a live attention picture, and the way to every page."""

from typing import Final

import streamlit as st

from app.components.head_view import Choice, Display, HeadView, head_view
from app.components.lesson_resume import lesson_resume
from app.content import lectures
from app.content.examples import ATTENTION
from app.content.lessons import Lesson
from app.services import engine, models
from app.services.engine import TextTrace
from app.services.shown_maps import Reduction, shown_maps
from app.ui import lesson, page_links, progress, projector, room, tour
from app.ui.lesson import Place
from app.ui.page import Leaflet
from core.trace import AttentionKind

DEFAULT_TEXT: Final = ATTENTION[0].text
ROW: Final = 3  # lessons
PICTURE = ((3, 1),)  # the head that gives "it" → "animal" 0.677
DOORS: Final[tuple[tuple[str, str, dict[str, str], str], ...]] = (
    (
        "attention",
        "Look inside in two minutes",
        {},
        "Your own sentence, every head of a model on it, one weight worked out.",
    ),
    (
        "",
        "Prepare a lecture",
        {},
        "The steps of a course in order, with minutes: below. Every state of a page is a link.",
    ),
    (
        "vision",
        "Measure something",
        {"view": "truth"},
        "Are explanations true? Hide what they name; every number leaves as CSV or NPZ.",
    ),
)
PLAIN = Reduction(words=False, without_special=True, without_punctuation=True, renormalise=False)


def render() -> None:
    """The first screen: three ways in, one real head; below, every step of a course."""
    with st.container(key="head", gap=None):
        with st.container(key="head-title", horizontal=True, vertical_alignment="center"):
            st.title("See what a Transformer does with your own sentence", width="content")
            with st.popover("Display", icon=":material/tune:", width="content"):
                projector.toggle("home")
                room.opener("home")
        with st.container(key="lead"):
            st.markdown(
                "Real models run on this machine and are opened up: every attention head, every "
                "number, worked out step by step. No account, no network."
            )
        _doors()
    with st.container(key="live"):
        words, picture = st.columns([3, 7], gap="large", vertical_alignment="center")
    with words:
        st.markdown(
            "One of 72 heads of MiniLM: which word does **it** stand for? Nobody told it; this "
            "head learned to look back at the noun. Point at any word."
        )
    with picture:
        _live_picture()
    _lessons()
    _by_lecture()


def _doors() -> None:
    """Three ways in, by what a reader comes for."""
    with st.container(key="doors"):
        for place, (page, title, state, said) in zip(st.columns(len(DOORS)), DOORS, strict=True):
            with place:
                if page:
                    page_links.link(page, f"**{title}**", state, icon=":material/arrow_forward:")
                else:
                    st.markdown(f":material/arrow_downward: [**{title}**](#by-lecture)")
                st.caption(said)


def _live_picture() -> None:
    """Layer 3, head 1."""
    place = st.empty()
    with place.container():
        st.skeleton(height=300)
    request, future = engine.request_maps(models.DEFAULT, DEFAULT_TEXT)
    trace = progress.outcome(future, models.DEFAULT)
    if trace is None:
        return
    shown = shown_maps(
        TextTrace(request, trace), AttentionKind.ENCODER, PICTURE, mean=False, reduction=PLAIN
    )
    it = next(i for i, label in enumerate(shown.queries.labels) if label == "it")
    with place.container():
        head_view(
            HeadView(
                kind=AttentionKind.ENCODER,
                names=("MiniLM-L6, layer 3 · head 1",),
                palette=(0,),
                maps=shown.maps,
                query_tokens=shown.queries.labels,
                key_tokens=shown.keys.labels,
                visible_keys=shown.visible_keys,
                uniform_keys=shown.uniform_keys,
                removed=shown.removed,
                caption=f"MiniLM-L6, layer 3, head 1 · “{DEFAULT_TEXT}”",
            ),
            display=Display(layout="lines"),
            selected=Choice(pinned=it),
            key="home.picture",
        )


def _lessons() -> None:
    st.subheader("Lessons", anchor="lessons")
    st.caption(
        "Step by step beside the live pages: predict first, then see what the model does. For a "
        "room, turn the steps with a presenter’s clicker."
    )
    lesson_resume(page_links.base())
    room.door()
    lessons = [*lesson.listed().values()]
    for first in range(0, len(lessons), ROW):  # by rows: a phone keeps their order
        row = lessons[first : first + ROW]
        for place, one in zip(st.columns(ROW, gap="medium"), row, strict=False):
            with place:
                _lesson(one)
    with st.container(key="own-lessons", horizontal=True, vertical_alignment="center"):
        tour.way_there()
        page_links.link("editor", "Make a lesson of your own", icon=":material/edit:")
        lesson.opener()


def _lesson(one: Lesson) -> None:
    _step_link(f"**{one.title}**", Place(one.id, 0), ":material/play_arrow:")
    predictions = f", {one.predictions} predictions" if one.predictions else ""
    st.caption(f"{one.about} {len(one.steps)} steps{predictions}, about {one.minutes} minutes.")
    for name, place in Place(one.id, 0).others.items():
        _step_link(f"{name}: {place.whole.title}", place, ":material/translate:")
    page_links.link("handout", "Handout", Place(one.id, 0).named, icon=":material/print:")
    reached = lesson.reached(one.id)
    if reached is not None and reached.step:
        _step_link(f"Go on at step {reached.step + 1}: {reached.shown.title}", reached)


def _step_link(label: str, place: Place, icon: str | None = None) -> None:
    page_links.link(place.shown.page, label, place.link, icon=icon)


def _by_lecture() -> None:
    st.subheader("By lecture", anchor="by-lecture")
    st.caption(
        "In the order of a course. Every line opens its page as the lecture needs it; the minutes "
        "are a plan, not a measurement."
    )
    columns = st.columns(len(lectures.LECTURES), gap="medium")
    for column, (title, topics) in zip(columns, lectures.LECTURES, strict=True):
        with column:
            minutes = sum(topic.minutes for topic in topics)
            st.markdown(f"**{title}** · {len(topics)} steps, about {minutes} minutes")
            for step, topic in enumerate(topics, 1):
                named = f"{step}\\. {topic.title} · {topic.minutes} min"
                page_links.link(topic.page, named, topic.state)


PAGE: Final = Leaflet("", render)
