"""A lesson's step beside the live page: its text, its prediction, Back and Next.

The panel has a place of its own (app/style/lesson.css): right of the page, on a phone below it.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.components.lesson_keys import Notes, Standing, lesson_keys
from app.content.lessons import TOUR
from app.style.markdown_escape import plain
from app.style.theme import LESSON
from app.ui import page_links, projector, room
from app.ui.lesson.place import Place, reach, turn_to
from app.ui.lesson.prediction import predicted, score_of
from app.ui.lesson.words import open_picture, words
from app.ui.param import Param
from app.ui.prediction import Asking


def beside(page: str, at: Param[Place | None], params: Sequence[Param[Any]]) -> Asking | None:
    """Draw the step that is shown, if one is; what is to be predicted before the page opens.

    params: of the page's view.
    """
    place = at.value
    if place is not None and not place.stands:
        at.put(place := None)
    reach(place)
    if place is None:
        return None
    open_picture(page, params, place.shown, place.pictures)
    with st.container(key=LESSON):
        lesson_keys(_standing(place), _notes(place))
        line = _head(place)
        with st.container(key="lesson-step"):
            st.markdown(f"### {plain(place.shown.title)}")
            words(place.shown.text, place.pictures)
            asked = predicted(page, place)
            _say_how_far(line, place)  # with the score that this run's click changed
            if not room.follows():
                _for_who_teaches(place)
        _foot(place, at, asked)
    return asked


def _standing(place: Place) -> Standing | None:
    """For another day; not of a tour, of the teacher's steps, or where no link holds the lesson."""
    whole = place.whole
    if place.lesson == TOUR or room.follows() or place.is_long:
        return None
    path, link = place.shown.page, urlencode(place.link)
    return Standing(path, link, whole.title, place.step, len(whole.steps))


def _notes(place: Place) -> Notes | None:
    """For another window of who teaches; of a tour and for students there are none."""
    if place.lesson == TOUR or room.follows():
        return None
    whole, shown = place.whole, place.shown
    return Notes(
        lesson=whole.title,
        title=shown.title,
        notes=shown.notes,
        then="".join(step.title for step in whole.steps[place.step + 1 : place.step + 2]),
        step=place.step + 1,
        steps=len(whole.steps),
        before=sum(step.minutes for step in whole.steps[: place.step]),
        minutes=shown.minutes,
    )


def _for_who_teaches(place: Place) -> None:
    """The step's notes, here or in a window of their own; a projector shows none."""
    if not any(step.notes for step in place.whole.steps):
        return
    with st.container(key="lesson-notes", horizontal=True, vertical_alignment="center"):
        if place.shown.notes and not projector.is_on():
            with st.popover("Notes", type="tertiary", icon=":material/sticky_note_2:"):
                st.markdown(place.shown.notes)
        st.link_button(
            "Notes in a window",
            f"{page_links.base()}/notes",
            type="tertiary",
            icon=":material/open_in_new:",
        )


def _head(place: Place) -> DeltaGenerator:
    """Whose lesson it is; the line that says how far."""
    lesson = place.whole
    with st.container(key="lesson-title", horizontal=True, vertical_alignment="center"):
        st.caption(f"**{plain(lesson.title)}**", width="stretch")
        for name, other in place.others.items():
            st.button(
                name,
                key=f"lesson-in-{other.language}",
                type="tertiary",
                on_click=turn_to,
                args=(other,),
            )
    st.progress((place.step + 1) / len(lesson.steps))
    line = st.empty()
    _say_how_far(line, place)
    return line


def _say_how_far(line: DeltaGenerator, place: Place) -> None:
    lesson = place.whole
    before = sum(step.minutes for step in lesson.steps[: place.step])
    told = f"{place.step + 1} of {len(lesson.steps)}"
    minutes = "" if place.lesson == TOUR else f"minute {before} of {lesson.minutes}"
    line.caption(" · ".join(filter(None, (told, minutes, score_of(place)))))


def _foot(place: Place, at: Param[Place | None], asked: Asking | None) -> None:
    if room.follows():
        st.caption("Your teacher turns the steps. Let go of the room to turn them yourself.")
        return
    last = place.step + 1 == len(place.whole.steps)
    with st.container(
        key="lesson-foot",
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
    ):
        st.button(
            "Back",
            key="lesson-back",
            disabled=place.step == 0,
            on_click=lambda: turn_to(place._replace(step=place.step - 1)),
            help="Left arrow or PageUp",
        )
        st.button(
            "Leave the lesson",
            key="lesson-leave",
            type="tertiary",
            icon=":material/close:",
            on_click=at.reset,
        )
        if asked is not None:
            said, turn = asked.gives_up_by, asked.give_up
        elif last:
            said, turn = "End", at.reset
        else:
            said, turn = "Next", lambda: turn_to(place._replace(step=place.step + 1))
        st.button(
            said,
            key="lesson-next",
            type="primary" if asked is None else "secondary",
            on_click=turn,
            help="Right arrow or PageDown",
        )
