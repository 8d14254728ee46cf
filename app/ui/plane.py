"""What is drawn on a chart whose two axes are one plane: arrows, and words beside points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import streamlit as st
from jaxtyping import Float
from numpy import float64, ndarray

from app.components.chart_files import GIVES_WAY
from app.style import theme
from app.ui.charts import Figure, plain

Mark = Mapping[str, Any]  # a Plotly annotation


def put(figure: Figure, marks: Sequence[Mark]) -> None:
    """In place of those that were there."""
    figure.layout["annotations"] = list(marks)


def arrow(
    start: Float[ndarray, " 2"],
    end: Float[ndarray, " 2"],
    *,
    strength: float,
) -> Mark:
    """From one point to another; strength from 0 to 1: its width and its ink."""
    page = theme.page_colours(dark=st.context.theme.type == "dark")
    (x, y), (ax, ay) = end.astype(float64), start.astype(float64)
    return {
        "x": x,
        "y": y,
        "ax": ax,
        "ay": ay,
        "axref": "x",
        "ayref": "y",
        "text": "",
        "standoff": 6,
        "startstandoff": 6,
        "arrowwidth": 0.5 + 2.5 * strength,
        "arrowhead": 2,
        "arrowcolor": page["textColor"],
        "opacity": 0.25 + 0.5 * strength,
    }


def label(
    point: Float[ndarray, " 2"],
    text: str,
    *,
    side: Literal["left", "right"] = "right",
) -> Mark:
    """A word beside a point; where there is no room for two, that which came first is seen."""
    anchor, shift = ("left", 7) if side == "right" else ("right", -7)
    x, y = point.astype(float64)
    return {
        "name": GIVES_WAY,
        "x": x,
        "y": y,
        "text": plain(text),
        "showarrow": False,
        "xanchor": anchor,
        "xshift": shift,
        "yshift": 7,
    }
