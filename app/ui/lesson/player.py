"""A lesson's step beside the live page: its text, its prediction, Back and Next.

The panel has a place of its own (app/style/lesson.css): right of the page, on a phone below it.
"""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.components.lesson_keys import lesson_keys
from app.style.markdown_escape import plain
from app.ui import projector, room
from app.ui.lesson.place import Place, reach, turn_to
from app.ui.lesson.prediction import Asked, give_up, predicted, score
from app.ui.param import Param


def beside(page: str, at: Param[Place | None]) -> Asked | None:
    """Draw the step that is shown, if one is; what is to be predicted before the page opens."""
    place = at.value
    if place is not None and not place.stands:
        at.put(place := None)
    reach(place)
    if place is None:
        return None
    with st.container(key="lesson"):
        lesson_keys()
        line = _head(place)
        with st.container(key="lesson-step"):
            st.markdown(f"### {plain(place.shown.title)}")
            st.markdown(place.shown.text)
            asked = predicted(page, place)
            _say_how_far(line, place)  # with the score that this run's click changed
            if place.shown.notes and not projector.is_on() and not room.follows():
                with st.popover("Notes", type="tertiary", icon=":material/sticky_note_2:"):
                    st.markdown(place.shown.notes)
        _foot(place, at, asked)
    return asked


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
    told = f"{place.step + 1} of {len(lesson.steps)} · minute {before} of {lesson.minutes}"
    line.caption(" · ".join(filter(None, (told, score(place)))))


def _foot(place: Place, at: Param[Place | None], asked: Asked | None) -> None:
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
            said = "I don’t know" if asked.vote is None else "Reveal"
            turn = partial(give_up, place)
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
