"""A first visit: a tour of two minutes, a lesson that is played on the real pages."""

from typing import Final

import streamlit as st

from app.components.tour_offer import taken, tour_offer
from app.content.lessons import TOUR
from app.ui import embedded, lesson, page_links, projector, room
from app.ui.lesson import Place

FIRST: Final = "tour.first"  # the page on which this session may be offered it; None: on none
START: Final = Place(TOUR, 0)


def attend(page: str) -> None:
    """Before a page is drawn: go where the tour begins, if the reader has just said so."""
    if FIRST not in st.session_state:
        st.session_state[FIRST] = page if _is_newcomer() else None
    if taken():
        lesson.turn_to(START)
        page_links.go(START.shown.page)


def offer(page: str) -> None:
    """After the page, which waits for nothing here. Only the browser knows who is new."""
    if st.session_state.get(FIRST) == page and not lesson.is_played() and not room.in_link():
        tour_offer()


def way_there() -> None:
    """For who wants it later."""
    label = "A tour of two minutes"
    page_links.link(START.shown.page, label, START.link, icon=":material/tour:")


def _is_newcomer() -> bool:
    """Not by a lesson's or a room's link, in another page's frame, or before a class."""
    brought = {lesson.NAME, room.PARAM} & st.query_params.to_dict().keys()
    return not (brought or embedded.is_on() or projector.is_on())
