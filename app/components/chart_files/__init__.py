"""PNG, SVG and CSV of the Plotly chart that stands in the same container.

Everything is made in the browser from the chart as it is drawn: a zoomed chart saves
zoomed, and the table holds the numbers that Plotly was given, not what it painted.
"""

from __future__ import annotations

from typing import Final

from app.components.frame import pack
from app.components.mount import register

_mount: Final = register("chart_files")


def chart_files(name: str, *, caption: str = "", key: str) -> None:
    """Three quiet buttons. Files are called `name`; `caption` is the table's first line."""
    _mount(key=key, data=pack({"name": name, "caption": " ".join(caption.split())}, {}))
