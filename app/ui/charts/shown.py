"""A chart in the page, with its files."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final

import streamlit as st
from typing_extensions import override

from app.components.chart_files import GIVES_WAY, chart_files
from app.ui import projector
from app.ui.charts.figure import Figure

PROJECTED: Final = 1.4  # times as high, as type is as large (app/style/theme.py)
HIGHEST: Final = 540  # px, of what a projector's screen has


def show(figure: Figure, *, key: str, name: str, caption: str = "") -> None:
    """Draw it, and offer PNG, SVG and CSV called `name`.

    `caption`, the settings in one line, is the table's first and is read out. On a projector the
    chart grows as its type does.
    """
    if projector.is_on() and (height := figure.layout.get("height")):
        figure.layout["height"] = min(HIGHEST, PROJECTED * height)
    with st.container(key=f"{key}-figure", gap=None):
        st.plotly_chart(
            _drawn(figure),
            key=key,
            theme=None,
            config={
                "displaylogo": False,
                "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d"],
                "toImageButtonOptions": {"format": "svg", "filename": name},
            },
            alt=f"{spoken(figure)}. {caption}",
        )
        words = figure.layout.get("annotations", ())
        crowded = any(one.get("name") == GIVES_WAY for one in words)
        chart_files(name, caption=caption, crowded=crowded, key=f"{key}-files")


def _drawn(figure: Figure) -> Any:
    """For Streamlit, which would let Plotly check and copy anything but a figure of its own."""
    import_module("pandas")  # plotly would use it half imported by another reader's table
    return _as_plotlys()({"data": figure.data, "layout": figure.layout})


@cache
def _as_plotlys() -> Any:
    from plotly.basedatatypes import BaseFigure  # with the first chart: no first screen needs it

    class Drawn(BaseFigure):
        """A figure that is read as what was said, nothing else."""

        def __init__(self, said: dict[str, Any]) -> None:
            self._said = said  # and nothing of Plotly's own

        @override
        def to_dict(self) -> dict[str, Any]:
            return self._said

    return Drawn


def spoken(figure: Figure) -> str:
    """What a chart shows, for those who hear it; its numbers are in the CSV."""
    axes = (figure.layout.get(axis, {}) for axis in ("yaxis", "xaxis"))
    titles = (axis.get("title", {}).get("text", "") for axis in axes)
    names = [trace["name"] for trace in figure.data if trace.get("name")]
    return " against ".join(filter(None, titles)) + (f": {', '.join(names)}" if names else "")
