"""Paper and ink of every chart, in the theme's colours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from app.style import theme
from app.ui import projector

FONT: Final = '"Source Sans", sans-serif'  # the page's own, which a saved drawing brings along


def type_size() -> int:
    """In px."""
    return 18 if projector.is_on() else 13


def template(*, dark: bool) -> Mapping[str, Any]:
    """Paper and ink; hairlines; the legend above."""
    return _template(dark, type_size())


@cache
def _template(dark: bool, size: int) -> Mapping[str, Any]:
    page = theme.page_colours(dark=dark)
    axis: dict[str, Any] = {
        "gridcolor": page["borderColor"],
        "zeroline": False,
        "linecolor": page["borderColor"],
        "ticks": "",
        "automargin": True,
        "title": {"font": {"size": size}, "standoff": 12},
    }
    layout = {
        "paper_bgcolor": page["backgroundColor"],  # a saved picture brings its paper
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": page["textColor"], "size": size, "family": FONT},
        "margin": {"l": 8, "r": 8, "t": 36, "b": 8},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "hoverlabel": {"bgcolor": page["secondaryBackgroundColor"], "align": "left"},
        "xaxis": axis,
        "yaxis": axis,
    }
    return {"layout": layout}


def plain(text: str) -> str:
    """A reader's string for Plotly, which takes some tags and entities for its own."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
