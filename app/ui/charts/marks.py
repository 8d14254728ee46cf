"""Hairlines with their words."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from app.style import theme
from app.ui.charts.figure import Figure
from app.ui.charts.template import plain, type_size


def mark_x(figure: Figure, x: float | str, text: str, *, row: int = 0) -> None:
    """A vertical hairline at x with its words on top, `row` lines down, on any axis."""
    figure.add_shape(type="line", xref="x", yref="paper", x0=x, x1=x, y0=0, y1=1, line=_hairline())
    logarithmic = _is_logarithmic(figure, "xaxis")
    figure.add_annotation(
        xref="x",
        yref="paper",
        x=math.log10(float(x)) if logarithmic else x,  # Plotly's annotations count decades there
        y=1,
        text=plain(text),
        showarrow=False,
        xanchor="left",
        yanchor="top",
        xshift=4,
        yshift=-1.3 * type_size() * row,
        align="left",
    )


def mark_y(figure: Figure, y: float, text: str, *, left: bool = False) -> None:
    """A horizontal hairline at y with its words above its right end, or its left one."""
    figure.add_shape(type="line", xref="paper", yref="y", x0=0, x1=1, y0=y, y1=y, line=_hairline())
    logarithmic = _is_logarithmic(figure, "yaxis")
    figure.add_annotation(
        xref="paper",
        yref="y",
        x=0 if left else 1,
        y=math.log10(y) if logarithmic else y,
        text=plain(text),
        showarrow=False,
        xanchor="left" if left else "right",
        xshift=6 if left else 0,
        yanchor="bottom",
    )


def _hairline() -> dict[str, Any]:
    page = theme.page_colours(dark=st.context.theme.type == "dark")
    return {"color": page["textColor"], "width": 1, "dash": "dash"}


def _is_logarithmic(figure: Figure, axis: str) -> bool:
    return figure.layout.get(axis, {}).get("type") == "log"
