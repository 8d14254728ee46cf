"""PNG, SVG and CSV of the Plotly chart that stands in the same container, and room for its words.

Everything is made in the browser from the chart as it is drawn: a zoomed chart saves
zoomed, and the table holds the numbers that Plotly was given, not what it painted.
"""

from __future__ import annotations

from typing import Final

from app.components.frame import pack
from app.components.mount import register

GIVES_WAY: Final = "gives way"  # an annotation of this name hides where an earlier one stands
_mount: Final = register("chart_files")


def chart_files(name: str, *, caption: str = "", crowded: bool = False, key: str) -> None:
    """Three quiet buttons. Files are called `name`; `caption` is the table's first line.

    crowded: some of the chart's annotations may have to give way.
    """
    header = {"name": name, "caption": " ".join(caption.split()), "crowded": crowded}
    _mount(key=key, data=pack(header, {}))
