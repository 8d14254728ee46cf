"""Take it with you: link, numbers, an offline page, the session as a file."""

import io
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import streamlit as st

from app import exports, links, projector
from app.components.permalink import permalink
from app.components.standalone import standalone_page
from app.views.bert import state

Table = tuple[Sequence[str], Iterable[Sequence[object]]]  # header, rows
Offline = tuple[str, Callable[[], bytes]]  # component, its frame


def export_row(
    *,
    name: str,
    caption: str,
    table: Callable[[], Table],
    arrays: Callable[[], Mapping[str, np.ndarray]] | None = None,
    offline: Offline | None = None,
) -> None:
    """The quiet row at the end of a view; nothing is computed before a button is pressed."""
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        params = _link()
        if offline is not None:
            component, frame = offline
            exports.download(
                "HTML",
                lambda: standalone_page(name, component, frame(), caption),
                f"{name}.html",
                "text/html",
                help="This figure as one page that works offline.",
            )
        exports.download(
            "CSV", lambda: exports.csv_bytes(caption, *table()), f"{name}.csv", "text/csv"
        )
        if arrays is not None:
            exports.download("NPZ", lambda: _npz(arrays()), f"{name}.npz")
        exports.session_file(state.PAGE, state.PARAMS, params)


def link_row() -> None:
    """The same where there is nothing to take along: the state stays in the link."""
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        exports.session_file(state.PAGE, state.PARAMS, _link())


def _link() -> dict[str, str]:
    params = links.written(state.PAGE, state.PARAMS)
    if projector.is_on():
        params[projector.PARAM.name] = "1"
    short, too_long = links.shortened(params)
    permalink(short, too_long=too_long, key=f"{state.PAGE}.link")
    return params


def _npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()
