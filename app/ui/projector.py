"""Projector mode: large type, thick lines, high contrast, on every page until switched off."""

from pathlib import Path
from typing import Literal

import streamlit as st

from app.style import theme

PARAM = "projector"  # in links
STATE = "projector"
TIGHT = (Path(theme.__file__).parent / "projector.css").read_text("utf-8")


def read_link() -> None:
    """A link with projector=1 switches the mode on; call before the page is configured."""
    if STATE not in st.session_state:
        st.session_state[STATE] = st.query_params.get(PARAM) == "1"


def apply() -> None:
    """Dress the page."""
    theme.apply(is_on())
    if is_on():
        st.html(f"<style>{TIGHT}</style>")


def sidebar() -> Literal["auto", "collapsed"]:
    """A projector's width belongs to the figure."""
    return "collapsed" if is_on() else "auto"


def is_on() -> bool:
    return bool(st.session_state.get(STATE))


def toggle(page: str) -> None:
    """The switch; its callback runs before the page is dressed."""

    def switch() -> None:
        st.session_state[STATE] = st.session_state[key]

    key = f"{page}.projector"
    st.session_state[key] = is_on()
    st.toggle("Projector mode", key=key, on_change=switch)
