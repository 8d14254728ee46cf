"""Where a reader stands in a lesson: in every page's link, and how they go on."""

from collections.abc import Mapping
from typing import Final, NamedTuple, cast

import streamlit as st
from typing_extensions import override

from app.content.lessons import FILE, NAME, Lesson, Step
from app.content.lessons.pictures import Picture
from app.ui import page_links, prediction, room, session_file
from app.ui.lesson.own import OWN, lessons, missing, open_link, own
from app.ui.param import Param
from core.errors import InputError

GOING: Final = "lesson.going"  # the page of the step that was turned to
PLAYED: Final = "lesson.played"  # whether the last page that was drawn had a step beside it
REACHED: Final = "lesson.reached"  # each lesson's last step that was seen


class Place(NamedTuple):
    """A step of a lesson, counted from 0; "" is its first language."""

    lesson: str
    step: int
    language: str = ""

    @property
    def whole(self) -> Lesson:
        return lessons()[self.lesson].said_in(self.language)

    @property
    def pictures(self) -> Mapping[str, Picture]:
        """The lesson's own, by name."""
        return lessons()[self.lesson].pictures

    @property
    def others(self) -> dict[str, "Place"]:
        """The same step in the lesson's other languages, by their names."""
        first = lessons()[self.lesson]
        places = {first.language_name: self._replace(language="")}
        for other in first.others:
            places[other.language_name] = self._replace(language=other.language)
        return {name: place for name, place in places.items() if place != self}

    @property
    def shown(self) -> Step:
        return self.whole.steps[self.step]

    @property
    def link(self) -> dict[str, str]:
        """Of the step's page."""
        return {**self.shown.state, **self.named}

    @property
    def named(self) -> dict[str, str]:
        """What a link says of the place alone."""
        return {NAME: _write(self), **file_of(self.lesson)}

    @property
    def is_long(self) -> bool:
        """Whether it is of a lesson of one's own that no link holds."""
        kept = own().get(self.lesson)
        return kept is not None and kept.packed is None

    @property
    def stands(self) -> bool:
        """Whether there still is such a step: an own lesson may have changed."""
        lesson = lessons().get(self.lesson)
        return lesson is not None and self.step < len(lesson.steps)


class AtStep(Param[Place | None]):
    """A page's parameter; None without a lesson."""

    def __init__(self, page: str) -> None:
        super().__init__(page, NAME, None, read_place, _write)

    @property
    @override
    def left_out(self) -> str:
        place = self.value
        if place is None or not place.is_long:
            return ""
        return "This lesson is too long for a link: who follows it needs the lesson’s file, too."


def file_of(lesson: str) -> dict[str, str]:
    """What a link to one of its steps holds besides, to be whole: a short lesson of one's own."""
    kept = own().get(lesson)
    return {} if kept is None or kept.packed is None else {FILE: kept.packed}


def room_file_of(lesson: str) -> dict[str, str]:
    """The same for a room, which lends its students what is too long for links."""
    from app.content.lessons.writing import write

    kept = own().get(lesson)
    if kept is None or kept.packed is not None:
        return file_of(lesson)
    said = room.lend(kept.mark, lambda: write(kept.lesson))
    return {FILE: said} if said else {}


def turn_to(place: Place) -> None:
    """Show this step in the next run; for callbacks."""
    session_file.enter(place.shown.page, place.link)
    st.session_state[GOING] = place.shown.page


def follow(page: str) -> None:
    """Where the reader has turned to a step of another page: go there, this run ends."""
    going = st.session_state.pop(GOING, page)
    if going != page:
        page_links.go(going)


def reach(place: Place | None) -> None:
    """It is shown now; None: no step is."""
    st.session_state[PLAYED] = place is not None
    prediction.pause(paused=place is not None)
    if place is not None:
        st.session_state.setdefault(REACHED, {})[place.lesson] = place


def is_played() -> bool:
    """Whether this run will have a step beside its page, as far as can be told before."""
    return NAME in st.query_params or bool(st.session_state.get(PLAYED))


def reached(lesson: str) -> Place | None:
    """Where its reader was last."""
    place = cast("Place | None", st.session_state.get(REACHED, {}).get(lesson))
    return place if place is not None and place.stands else None


def read_place(given: str) -> Place:
    """The place that a link names. Raises InputError."""
    said, _, number = given.rpartition(".")
    name, _, language = said.partition(".")
    if name.startswith(OWN):
        _open(name)
    lesson = lessons().get(name)
    if lesson is None:
        raise InputError(
            f"There is no lesson “{name or given}” here; the home page lists those that there are."
        )
    if language and language not in lesson.languages:
        known = ", ".join(lesson.languages)
        raise InputError(f"“{lesson.title}” is not in “{language}”; {known} go.")
    count = len(lesson.steps)
    if not (number.isascii() and number.isdecimal() and len(number) < 4 and int(number) > 0):
        raise InputError(f"“{given}” is no step of “{lesson.title}”: 1 to {count} go.")
    if int(number) > count:
        raise InputError(f"“{lesson.title}” has {count} steps; the link asks for step {number}.")
    return Place(name, int(number) - 1, "" if language == lesson.language else language)


def _open(name: str) -> None:
    """A reader's own lesson: the teacher's as it is now, or what comes with its link."""
    given = room.given().get(FILE)
    if not given and name in lessons():
        return
    given = given or st.query_params.get(FILE)
    if not given:
        raise missing(name)
    open_link(given, name)


def _write(place: Place | None) -> str:
    if place is None:
        return ""
    return ".".join(filter(None, (place.lesson, place.language, str(place.step + 1))))
