"""How much of a picture shows through the colours of a map that is painted over it."""

from typing import Final

import streamlit as st

from app.ui.params import Number

USUAL: Final = 65  # per cent: each figure's own opacity, which is left alone


def overlay(param: Number[int]) -> None:
    """The control; the page's pictures take it from a CSS variable, as they take their colours."""
    percent = param.slider(
        "Colours over the picture, %",
        step=5,
        help="100: the map alone. 0: the picture alone. Numbers stay as they are.",
    )
    if percent != USUAL:
        st.html(f"<style>:root {{ --gf-overlay: {max(percent, 1) / 100:g}; }}</style>")
