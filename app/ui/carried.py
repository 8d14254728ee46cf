"""A reader's own sentence follows them: every other page offers it as its first example."""

from textwrap import shorten
from typing import Final

import streamlit as st

from app.style.markdown_escape import plain

TYPED: Final = "carried.text"
SHORT: Final = 28  # characters of it on a chip


def remember(text: str) -> None:
    """The reader typed this; for callbacks."""
    if text.strip():
        st.session_state[TYPED] = text


def offer(present: str) -> dict[str, str]:
    """The sentence under its chip's label, unless a page shows it already."""
    text = str(st.session_state.get(TYPED, present))
    if text == present:
        return {}
    return {f"yours: {plain(shorten(text, SHORT, placeholder=' …') or text[:SHORT])}": text}
