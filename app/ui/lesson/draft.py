"""The lesson that a reader is making: one of their session's own, changed step by step."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Final, cast

import streamlit as st

from app.content.lessons import FILE, NAME, Lesson, Step
from app.content.lessons.editing import added
from app.style.markdown_escape import plain
from app.ui import page_links, prediction, projector
from app.ui.lesson.own import PAGES, keep, lessons, named, own
from app.ui.view_title import view_title
from core.errors import InputError

MAKING: Final = "lesson.making"  # its name in links
AT: Final = "lesson.making-step"  # which of its steps is open in the editor
TURN: Final = "lesson.making-turn"
TITLE: Final = "My lesson"
ABOUT: Final = "What it is about, in a sentence."
USUAL: Final = 2  # minutes
PROBLEM: Final = "lesson.making-problem"
NO_MARKUP: Final = str.maketrans({"<": "‹", ">": "›", "`": "’", "!": None, "\r": " "})
ELSEWHERE: Final = (NAME, FILE, prediction.PARAM, projector.PARAM)  # what of a link is no view's


def draft() -> Lesson | None:
    """The one that was made or opened last, unless another was chosen."""
    names = [*own()]
    name = st.session_state.get(MAKING)
    return own()[name if name in names else names[-1]].lesson if names else None


def choose(name: str) -> None:
    """The lesson of this name is made from now on; for callbacks."""
    st.session_state[MAKING] = name
    turn_over(0)


def turn() -> int:
    """How often another step was opened in the editor, whose fields begin anew then."""
    return st.session_state.setdefault(TURN, 0)


def turn_over(at: int) -> None:
    """This step is open; for callbacks."""
    st.session_state[AT] = at
    st.session_state[TURN] = turn() + 1


def begin(like: Lesson | None, step: Step) -> None:
    """A new one: a copy, or with this step alone; for callbacks."""
    title = TITLE if like is None else like.title
    names = (named(title, number) for number in count(1))
    name = next(name for name in names if name not in lessons())
    made = Lesson(name, title, ABOUT, (step,)) if like is None else like
    take(replace(made, id=name))
    choose(name)


def take(lesson: Lesson) -> None:
    """It is as it is given now. Raises InputError for what no file can hold: it stays as it was."""
    from app.content.lessons.reading import read
    from app.content.lessons.writing import write

    text = write(lesson, pictures=False)
    keep(read(text, lesson.id, PAGES, lesson.pictures), changed=True)


def add(step: Step) -> None:
    """Behind the last one of the draft, which begins with it if there is none; for callbacks."""
    here = draft()
    try:
        if here is None:
            begin(None, step)
        else:
            take(added(here, step, len(here.steps)))
            turn_over(len(here.steps))
    except InputError as error:
        st.session_state[PROBLEM] = str(error)


def adder(page: str, title: str, text: str, link: Mapping[str, str]) -> None:
    """Offer to make a step of what is shown, and the way to the lesson once there is one.

    title, text: what is proposed. link: the view's, with what a bare link leaves out.
    """
    state = {name: given for name, given in link.items() if name not in ELSEWHERE}
    words = state.get("text", "").translate(NO_MARKUP)
    step = Step(view_title(title, words), text, page, state, USUAL)
    st.button(
        "Add to my lesson",
        key=f"{page}.add-step",
        type="tertiary",
        on_click=add,
        args=(step,),
        help="This view as a step of a lesson of your own: text, prediction and notes beside it",
    )
    if (here := draft()) is not None:
        count = len(here.steps)
        page_links.link("editor", f"{plain(here.title)} · {count} step{'s' if count > 1 else ''}")
    if problem := cast("str | None", st.session_state.pop(PROBLEM, None)):
        st.warning(plain(problem), icon=":material/info:")
