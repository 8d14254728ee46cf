"""Projector mode: large type, thick lines, high contrast, on every page until switched off."""

from typing import Literal

import streamlit as st

from app.style import theme

PARAM = "projector"  # in links
STATE = "projector"
# Large type costs room: the words around the input give way, the figure moves up.
TIGHT = """
[data-testid="stMainBlockContainer"] { padding: 0.8rem 1.5rem; }
[data-testid="stMainBlockContainer"] h1 { font-size: 1.5rem; padding-left: 2.4rem; }
.st-key-lead, [data-testid="stSidebar"] [data-testid="stCaptionContainer"] { display: none; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.5rem; }
[data-testid="stTextArea"] textarea { min-height: 2.4rem; height: 2.6rem; }
"""


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
