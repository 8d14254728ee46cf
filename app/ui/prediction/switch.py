"""Whether views ask before they show, on every page until switched off."""

from typing import Final

import streamlit as st

from app.ui import room

PARAM: Final = "predict"  # in links
STATE: Final = "prediction.on"
PAUSED: Final = "prediction.paused"


def read_link() -> None:
    """A link with predict=1 switches it on; call before a page is drawn."""
    if STATE not in st.session_state:
        st.session_state[STATE] = st.query_params.get(PARAM) == "1"


def is_on() -> bool:
    """Never beside a lesson, which asks by itself."""
    return _is_set() and not st.session_state.get(PAUSED)


def in_link() -> dict[str, str]:
    """What every page's link says of it."""
    return {PARAM: "1"} if _is_set() else {}


def pause(*, paused: bool) -> None:
    """While a lesson's step stands beside the page."""
    st.session_state[PAUSED] = paused


def toggle(page: str) -> None:
    """The switch."""

    def switch() -> None:
        st.session_state[STATE] = st.session_state[key]

    key = f"{page}.predict"
    st.session_state[key] = _is_set()
    st.toggle(
        "Predict, then see",
        key=key,
        on_change=switch,
        help="On every page: a question first, where one can be asked. The figure opens when you "
        "have said what you expect.",
        disabled=room.follows(),
    )


def _is_set() -> bool:
    """Who follows a teacher has the teacher's."""
    return room.given().get(PARAM) == "1" if room.follows() else bool(st.session_state.get(STATE))
