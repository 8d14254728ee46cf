"""Take it with you: link, numbers, an offline page, the session as a file."""

from collections.abc import Callable, Iterable, Sequence

import streamlit as st

from app.components.permalink import permalink
from app.components.standalone import standalone_page
from app.ui import downloads, projector
from app.ui import params as links
from app.views.tokenizers import state

Table = tuple[Sequence[str], Iterable[Sequence[object]]]  # header, rows
Offline = tuple[str, Callable[[], bytes]]  # component, its frame


def export_row(
    *, table: Callable[[], Table], title: str, caption: str, offline: Offline | None = None
) -> None:
    """The quiet row at the end of a view; nothing is computed before a button is pressed."""
    params = state.written()
    if projector.is_on():
        params[projector.PARAM.name] = "1"
    short, too_long = links.shortened(params)
    notes = " ".join(filter(None, (too_long, state.left_out())))
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        permalink(short, too_long=notes or None, key=f"{state.PAGE}.link")
        if offline is not None:
            component, frame = offline
            downloads.download(
                "HTML",
                lambda: standalone_page(title, component, frame(), caption),
                f"{state.PAGE}.html",
                "text/html",
                help="This figure as one page that works offline.",
            )
        downloads.download(
            "CSV", lambda: downloads.csv_bytes(caption, *table()), f"{state.PAGE}.csv", "text/csv"
        )
        downloads.session_file(state.PAGE, state.PARAMS, params)
