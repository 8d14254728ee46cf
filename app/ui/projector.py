"""Projector mode: large type, thick lines, high contrast, on every page until switched off."""

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.style import theme

PARAM = "projector"  # in links
STATE = "projector"


def read_link() -> None:
    """A link with projector=1 switches the mode on; call before the page is configured."""
    if STATE not in st.session_state:
        st.session_state[STATE] = st.query_params.get(PARAM) == "1"


def marked() -> DeltaGenerator:
    """Where something must stand on every page: its key says whether it is a projector's."""
    return st.container(key=theme.ON_PROJECTOR if is_on() else "on-screen")


def sidebar() -> Literal["auto", "collapsed"]:
    """A projector's width belongs to the figure."""
    return "collapsed" if is_on() else "auto"


def is_on() -> bool:
    return bool(st.session_state.get(STATE))


def in_link() -> dict[str, str]:
    """What every page's link says of it."""
    return {PARAM: "1"} if is_on() else {}


def toggle(page: str) -> None:
    """The switch; its callback runs before the page is dressed."""

    def switch() -> None:
        st.session_state[STATE] = st.session_state[key]

    key = f"{page}.projector"
    st.session_state[key] = is_on()
    st.toggle("Projector mode", key=key, on_change=switch)
