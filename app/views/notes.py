"""The notes of a lesson that another window of this browser plays, for who teaches."""

from typing import Final, cast

import streamlit as st

from app.components.lesson_keys import Notes
from app.components.notes_window import heard, notes_window
from app.style.markdown_escape import plain
from app.ui.page import Leaflet

SHOWN: Final = "notes.shown"


def render() -> None:
    """What this step's notes say, what comes next, the clock."""
    if (new := heard()) is not None:
        st.session_state[SHOWN] = new
    shown = cast("Notes | None", st.session_state.get(SHOWN))
    st.title("Notes" if shown is None else plain(shown.title))
    notes_window(shown)
    if shown is None:
        st.caption(
            "Play a lesson in another window of this browser: its notes stand here, and follow."
        )
        return
    st.caption(plain(shown.lesson))
    with st.container(key="notes"):
        st.markdown(shown.notes or "No notes on this step.")
    st.markdown(f"Next: **{plain(shown.then)}**" if shown.then else "This is the last step.")


PAGE: Final = Leaflet("notes", render)
