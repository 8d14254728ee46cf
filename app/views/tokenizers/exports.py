"""Take it with you: link, numbers, an offline page, the session as a file."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence

import streamlit as st

from app import links, projector
from app.components.permalink import permalink
from app.components.standalone import standalone_page
from app.plain import plain
from app.views.tokenizers import state

LARGEST_SESSION = 2  # MB
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
            st.download_button(
                "HTML",
                lambda: standalone_page(title, component, frame(), caption),
                f"{state.PAGE}.html",
                "text/html",
                help="This figure as one page that works offline.",
                on_click="ignore",
                type="tertiary",
            )
        st.download_button(
            "CSV",
            lambda: csv_of(table(), caption),
            f"{state.PAGE}.csv",
            "text/csv",
            on_click="ignore",
            type="tertiary",
        )
        st.download_button(
            "Session file",
            json.dumps({"page": state.PAGE, "state": params}, ensure_ascii=False, indent=1),
            "glassformer-session.json",
            "application/json",
            on_click="ignore",
            type="tertiary",
        )
        with st.popover("Open a session file", type="tertiary"):
            st.file_uploader(
                "A session file saved here",
                type="json",
                max_upload_size=LARGEST_SESSION,
                key=f"{state.PAGE}.session",
                on_change=_open_session,
            )
            if problem := st.session_state.pop(f"{state.PAGE}.session-problem", None):
                st.warning(plain(problem))


def csv_of(table: Table, caption: str) -> bytes:
    """A comment line, a header, the rows."""
    header, rows = table
    file = io.StringIO()
    file.write(f"# {' '.join(caption.split())}\n")
    writer = csv.writer(file)
    writer.writerow(header)
    writer.writerows(rows)
    # a pasted half of a character may be in a corpus or a word: no UTF-8 can hold it
    return file.getvalue().encode("utf-8", "replace")


def _open_session() -> None:
    """Put an uploaded session's values in place; nonsense in it counts as absent."""
    uploaded = st.session_state[f"{state.PAGE}.session"]
    if uploaded is None:
        return
    try:
        content = json.loads(uploaded.getvalue().decode("utf-8"))
        if content["page"] != state.PAGE:
            raise KeyError(content["page"])
        given = {str(name): str(text) for name, text in content["state"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        st.session_state[f"{state.PAGE}.session-problem"] = (
            f"{uploaded.name} is no session file of this page: save one with “Session file” first."
        )
        return
    for param in state.PARAMS:
        value = param.parse(given[param.name]) if param.name in given else None
        state.put(param, param.default if value is None else value)
