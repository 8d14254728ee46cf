"""What a view reads, in one line that opens: the text or picture, the model; examples beside it.

The figure has the first screen, so the fields themselves stand behind the line. `Page` says where
the line stands; what has to be told (a model that is not there) stands below it, never inside.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.style.markdown_escape import plain
from app.ui import projector

LONGEST: Final = 72  # characters of a text that the line shows
PROJECTED: Final = 38  # characters of the line beside a projector's title
OPEN_WIDTH: Final = 620  # px


@dataclass(frozen=True)
class _Places:
    line: DeltaGenerator
    notices: DeltaGenerator
    chips: DeltaGenerator | None = None  # beside the line that is being drawn


_PLACES: Final[ContextVar[_Places | None]] = ContextVar("places", default=None)


@contextmanager
def placed(line: DeltaGenerator, notices: DeltaGenerator) -> Generator[None]:
    """While a view is drawn: where its page has the line, and what is to be told."""
    token = _PLACES.set(_Places(line, notices))
    try:
        yield
    finally:
        _PLACES.reset(token)


@contextmanager
def input_line(*said: str, label: str = "Change") -> Generator[None]:
    """Draw the fields of the `with` behind a line that says what they hold now.

    Example chips that are drawn within stand beside the line.
    """
    places = _PLACES.get() or _Places(st.container(), st.container())
    words = " · ".join(part for part in said if part)
    if projector.is_on() and len(words) > PROJECTED:
        words = f"{words[:PROJECTED].rstrip()}…"
    with places.line, st.container(key="input-line", horizontal=True, gap="small"):
        fold = st.popover(
            plain(words) or label, icon=":material/edit:", key="input-fold", wrap=True
        )
        inside = fold.container(width=OPEN_WIDTH)
        room = inside if projector.is_on() else st.container(key="input-chips", width="stretch")
    token = _PLACES.set(_Places(places.line, places.notices, room))
    try:
        with inside:
            yield
    finally:
        _PLACES.reset(token)


def notices() -> DeltaGenerator:
    """Where a field behind the line tells what its reader has to know."""
    places = _PLACES.get()
    return st.container() if places is None else places.notices


def beside() -> DeltaGenerator | None:
    """Where examples stand; None outside of a line."""
    places = _PLACES.get()
    return None if places is None else places.chips


def quoted(*texts: str) -> str:
    """Texts as the line shows them; those that are empty are left out."""
    given = [words for text in texts if (words := " ".join(text.split()))]
    room = PROJECTED // 2 if projector.is_on() else LONGEST
    longest = room // max(1, len(given))
    shown = (words if len(words) <= longest else f"{words[:longest].rstrip()}…" for words in given)
    return " / ".join(f"“{words}”" for words in shown) or "no text yet"


def beside_line() -> DeltaGenerator:
    """The same, for what must be drawn in any case."""
    return beside() or st.container()
