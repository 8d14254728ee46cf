"""A view's controls in one row, which scrolls sideways where the screen is narrow.

The figure keeps the screen: on a phone and on a projector the row is one line high.
"""

from collections.abc import Generator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def beside_figure() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Places for choices and for the figure that they change; on a phone the figure comes first."""
    with st.container(key="beside-figure"):
        left, right = st.columns([4, 9], gap="medium")
    return left, right


@contextmanager
def controls(name: str = "") -> Generator[None]:
    """The row; `name` tells two of one view apart."""
    with st.container(
        key=f"controls{name}", horizontal=True, vertical_alignment="bottom", gap="medium"
    ):
        yield
