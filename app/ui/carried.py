"""What a reader brought follows them: every other page offers it as its first example.

A sentence that they typed, a picture that they gave. Both live in their session alone.
"""

from dataclasses import dataclass
from textwrap import shorten
from typing import Final, cast

import streamlit as st

from app.services.vision import Picture
from app.style.markdown_escape import plain

TYPED: Final = "carried.text"
GIVEN: Final = "carried.picture"
OWN: Final = ":own"  # ends the keys of pictures that stand in a sample's place
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


@dataclass(frozen=True, slots=True)
class Brought:
    """A picture that the reader gave."""

    picture: Picture
    film: tuple[Picture, ...] = ()  # its frames, where it moves
    notes: tuple[str, ...] = ()  # what was changed on opening it


def remember_picture(brought: Brought) -> None:
    """The reader gave this; for callbacks."""
    st.session_state[GIVEN] = brought


def picture() -> Brought | None:
    """The last one that they gave, on whichever page."""
    return cast("Brought | None", st.session_state.get(GIVEN))
