"""How a map is painted over its picture: how much shows through, and how values become colours.

The page's pictures take both from CSS variables, as they take their colours; numbers stay as they
are.
"""

from typing import Final

import streamlit as st

from app.ui.params import Choice, Number

USUAL: Final = 65  # per cent: each figure's own opacity, which is left alone
CONTRASTS: Final = {
    "linear": "from 0 to its largest",
    "stretched": "from its smallest to its largest",
    "sqrt": "√, from 0 to its largest",
    "log": "log, from 0.0001 to its largest",
    "even": "times uniform, ¼ to 4, log",
}


def overlay(opacity: Number[int], contrast: Choice[str]) -> None:
    """The controls."""
    percent = opacity.slider(
        "Colours over the picture, %",
        step=5,
        help="100: the map alone. 0: the picture alone. Numbers stay as they are.",
    )
    scale = contrast.selectbox(
        "A map’s colour scale",
        help="What differs little looks alike from 0 on: a late rollout, a flow. Numbers stay as "
        "they are, and the legend names the scale. Signed maps stay linear.",
    )
    chosen = {
        "--gf-overlay": f"{max(percent, 1) / 100:g}" if percent != USUAL else "",
        "--gf-contrast": scale if scale != contrast.default else "",
    }
    if any(chosen.values()):
        said = " ".join(f"{name}: {value};" for name, value in chosen.items() if value)
        st.html(f"<style>:root {{ {said} }}</style>")
