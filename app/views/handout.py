"""A lesson on paper: its words, figures and blanks for what is predicted, the answers at the end.

Figures are the views themselves in frames; where a step asks first, its figure stands among the
answers, which it would give away.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import streamlit as st

from app.components.print_button import print_button
from app.content.lessons import NAME, Step
from app.style.markdown_escape import plain
from app.ui import page_links
from app.ui.lesson import Place, answers_of, listed, read_place, revealed, words
from app.ui.page import Leaflet
from app.ui.prediction import verdict
from core.errors import InputError

if TYPE_CHECKING:
    from app.services.questions import Answers

HIGH: Final = 460  # px of a figure
MOST_OPTIONS: Final = 12  # beyond that, a blank line has room for the answer
LINE: Final = "\\_" * 40


@dataclass(frozen=True, slots=True)
class Asked:
    """A step's question; None: the model can't answer it, which was said."""

    number: int
    step: Step
    answers: "Answers | None"


def render() -> None:
    """The lesson that the link names; without one, all that there are."""
    given = st.query_params.get(NAME)
    try:
        place = None if given is None else read_place(given)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        place = None
    if place is None:
        _every()
    else:
        _paper(place)


def _every() -> None:
    st.title("Handouts")
    st.caption("Every lesson on paper: its words and figures, blanks, the answers at the end.")
    for one in listed().values():
        first = Place(one.id, 0)
        for place in (first, *first.others.values()):
            title = plain(place.whole.title)
            page_links.link("handout", title, place.named, icon=":material/print:")


def _paper(place: Place) -> None:
    lesson = place.whole
    with st.container(key="handout"):
        st.title(plain(lesson.title))
        with st.container(key="handout-tools", horizontal=True, vertical_alignment="center"):
            print_button()
            for name, other in place.others.items():
                page_links.link("handout", name, other.named, icon=":material/translate:")
            page_links.link(place.shown.page, "Play", place.link, icon=":material/play_arrow:")
        st.markdown(plain(lesson.about))
        asked = [_step(number, step, place) for number, step in enumerate(lesson.steps, 1)]
        _answers([one for one in asked if one is not None], place)


def _step(number: int, step: Step, place: Place) -> Asked | None:
    """Its words, with its figure or its blank; what is to be answered at the end."""
    st.markdown(f"## {number}. {plain(step.title)}")
    words(step.text, place.pictures)
    if step.predict is None:
        _figure(step, place)
        return None
    answers = answers_of(step)
    with st.container(key=f"blank-{number}"):
        st.markdown(f"**{step.predict.question}**")
        options = () if answers is None else answers.options
        if answers is None or answers.grid is not None or len(options) > MOST_OPTIONS:
            st.markdown(LINE)
        else:
            st.markdown(" &emsp; ".join(f"☐ {plain(option)}" for option in options))
    return Asked(number, step, answers)


def _answers(asked: list[Asked], place: Place) -> None:
    """On pages of their own."""
    if not asked:
        return
    with st.container(key="handout-answers"):
        st.markdown("## Answers")
        for one in asked:
            st.markdown(f"### {one.number}. {plain(one.step.title)}")
            if one.answers is not None:
                st.markdown(verdict(one.answers, None, right=False))
                st.markdown(revealed(one.step, one.answers))
            _figure(one.step, place)


def _figure(step: Step, place: Place) -> None:
    """The step's view, as another site's page shows it, in paper's colours.

    A frame knows nothing of this session's pictures: of a step with one, that picture is printed.
    """
    if step.picture:
        st.image(place.pictures[step.picture].shown, alt=step.title)
        return
    link = urlencode({**step.state, "embed": "true", "embed_options": "light_theme"})
    address = f"{page_links.base()}/{step.page}?{link}"
    st.iframe(address, height=HIGH, alt=f"The figure of “{step.title}”")


PAGE: Final = Leaflet("handout", render)
