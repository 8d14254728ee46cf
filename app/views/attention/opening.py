"""From another view to one head on one sentence: what is asked for is put there before it is drawn.

A field that is drawn already takes no other text in the same run, so the text waits for the next.
"""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.components.head_grid import HeadId
from app.ui.chosen_words import choose
from app.ui.page import go
from app.views.attention import state
from core.trace import AttentionKind

WAITING: Final = "opening.attention"


@dataclass(frozen=True, slots=True)
class Opened:
    """A head, a pair of tokens to look at, and a sentence where it isn't the page's own."""

    kind: AttentionKind
    head: HeadId
    cell: tuple[int, int] | None
    text: str | None = None


def open_head(opened: Opened) -> None:
    """Show it in the view of one sentence."""
    st.session_state[WAITING] = opened
    go("attention", "")


def take() -> None:
    """Before anything is drawn: what another view asked for."""
    opened: Opened | None = st.session_state.pop(WAITING, None)
    if opened is None:
        return
    if opened.text is not None:
        state.TEXT.put(opened.text)
        state.PAIR.put("")
        state.TARGET.put("")
    state.KIND.put(opened.kind.value)
    state.HEADS.put((opened.head,))
    choose(state.CELL, opened.cell)
    choose(state.PIN, -1 if opened.cell is None else opened.cell[0])
