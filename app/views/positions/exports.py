"""Take a view's numbers with you: link, CSV, NPZ, an offline page, the session as a file."""

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from app import exports, links, projector
from app.components.heat_map import HeatMap, heat_map_frame
from app.components.permalink import permalink
from app.components.standalone import standalone_page
from app.views.positions.state import PAGE

Table = tuple[Sequence[str], Iterable[Sequence[object]]]  # header, rows


@dataclass(frozen=True)
class Export:
    """What a view hands to the quiet row; nothing is computed before a button is pressed."""

    name: str  # of the files, without an ending
    caption: str  # what the numbers are, with the settings, in one line
    table: Callable[[], Table]
    arrays: Callable[[], Mapping[str, np.ndarray]]
    offline: HeatMap | None = None


def matrix_table(values: np.ndarray, names: tuple[str, str, str]) -> Table:
    """A matrix as rows of (row, column, value)."""
    rows = (
        (row, column, repr(float(values[row, column])))
        for row in range(values.shape[0])
        for column in range(values.shape[1])
    )
    return names, rows


def export_row(export: Export | None, params: Sequence[links.Param]) -> None:
    """The quiet row at the end of a view; without a figure, only the link and the session."""
    written = links.written(PAGE, params)
    if projector.is_on():
        written[projector.PARAM.name] = "1"
    short, too_long = links.shortened(written)
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        permalink(short, too_long=too_long, key=f"{PAGE}.link")
        if export is not None:
            _files(export)
        exports.session_file(PAGE, params, written)


def _files(export: Export) -> None:
    if (figure := export.offline) is not None:
        exports.download(
            "HTML",
            lambda: standalone_page(
                export.name, "heat_map", heat_map_frame(figure), export.caption
            ),
            f"{export.name}.html",
            "text/html",
            help="The first figure as one page that works offline.",
        )
    exports.download(
        "CSV",
        lambda: exports.csv_bytes(export.caption, *export.table()),
        f"{export.name}.csv",
        "text/csv",
    )
    exports.download("NPZ", lambda: _npz(export), f"{export.name}.npz")


def _npz(export: Export) -> bytes:
    file = io.BytesIO()
    arrays = dict(export.arrays())
    np.savez_compressed(file, allow_pickle=False, **arrays, caption=np.array(export.caption))
    return file.getvalue()
