"""A view's controls in one row, which scrolls sideways where the screen is narrow.

The figure keeps the screen: on a phone and on a projector the row is one line high.
"""

from collections.abc import Generator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def controls(name: str = "") -> Generator[None]:
    """The row; `name` tells two of one view apart."""
    with st.container(
        key=f"controls{name}", horizontal=True, vertical_alignment="bottom", gap="medium"
    ):
        yield
