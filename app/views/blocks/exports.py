"""Take a view's figure with you: link, numbers, an offline page, the session as a file."""

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from app import exports, links, projector
from app.components.permalink import permalink
from app.components.standalone import standalone_page
from app.views.blocks.state import PAGE

Table = tuple[Sequence[str], Iterable[Sequence[object]]]  # header, rows


@dataclass(frozen=True)
class Export:
    """What a view hands to the quiet row; nothing is computed before a button is pressed."""

    name: str  # of the files, without an ending
    caption: str  # what the numbers are, with the settings, in one line
    table: Callable[[], Table]
    arrays: Callable[[], Mapping[str, np.ndarray]] | None = None  # for NPZ
    more: Mapping[str, Callable[[], Table]] = field(default_factory=dict[str, Callable[[], Table]])
    """Further tables by what they hold: the numbers of the view's other figures."""
    offline: tuple[str, Callable[[], bytes]] | None = None  # component, its frame


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
    if export.offline is not None:
        component, frame = export.offline
        exports.download(
            "HTML",
            lambda: standalone_page(export.name, component, frame(), export.caption),
            f"{export.name}.html",
            "text/html",
            help="This figure as one page that works offline.",
        )
    _table("CSV", export.table, export.name, export.caption)
    for name, table in export.more.items():
        _table(f"CSV: {name}", table, f"{export.name}-{name.replace(' ', '-')}", export.caption)
    if export.arrays is not None:
        arrays = export.arrays
        exports.download("NPZ", lambda: _npz(arrays(), export.caption), f"{export.name}.npz")


def _table(label: str, table: Callable[[], Table], name: str, caption: str) -> None:
    exports.download(label, lambda: exports.csv_bytes(caption, *table()), f"{name}.csv", "text/csv")


def matrix_table(values: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> Table:
    """A matrix as one line a cell."""
    lines = (
        (row, column, repr(float(values[i, j])))
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    )
    return ("row", "column", "value"), lines


def _npz(arrays: Mapping[str, np.ndarray], caption: str) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays, caption=np.array(caption))
    return file.getvalue()
