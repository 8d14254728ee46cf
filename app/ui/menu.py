"""A quiet menu whose contents are drawn while it is open: a closed one costs a run nothing."""

from collections.abc import Callable

import streamlit as st


def menu(label: str, key: str, draw: Callable[[], object]) -> None:
    """A button with what `draw` draws behind it; opening and closing ask the server."""
    behind = st.popover(label, type="tertiary", key=key, on_change="rerun")
    if behind.open:
        with behind:
            draw()
