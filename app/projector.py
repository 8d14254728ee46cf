"""Projector mode: large type, thick lines, high contrast, on every page until switched off."""

import streamlit as st

from app import links, theme

PARAM = links.flag("projector")
STATE = "projector"


def apply() -> None:
    """Dress the page; a link with projector=1 switches the mode on."""
    if STATE not in st.session_state:
        st.session_state[STATE] = st.query_params.get(PARAM.name) == "1"
    theme.apply(is_on())


def is_on() -> bool:
    return bool(st.session_state.get(STATE))


def toggle(page: str) -> None:
    """The switch; it reruns the whole app, because every page's type changes."""

    def switch() -> None:
        st.session_state[STATE] = st.session_state[key]

    key = f"{page}.projector"
    st.session_state[key] = is_on()
    if st.toggle("Projector mode", key=key, on_change=switch) != st.session_state.get(
        "projector.drawn"
    ):
        st.session_state["projector.drawn"] = is_on()
        st.rerun(scope="app")
