"""The quiet row under every figure: numbers, an offline page, the session as a file.

Buttons compute nothing before they are pressed.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from app.style.markdown_escape import plain
from app.ui import params as links

LARGEST_SESSION = 2  # MB


def download(
    label: str,
    data: str | Callable[[], str | bytes],
    file_name: str,
    mime: str = "application/octet-stream",
    help: str | None = None,  # noqa: A002 - Streamlit's own word
) -> None:
    """A quiet button that hands out a file."""
    given: Any = data
    st.download_button(label, given, file_name, mime, help=help, on_click="ignore", type="tertiary")


def csv_bytes(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A comment line with model, text and settings, then the table."""
    file = io.StringIO()
    file.write(f"# {' '.join(caption.split())}\n")
    writer = csv.writer(file)
    writer.writerow(header)
    writer.writerows(rows)
    # a pasted half of a character may be in a text: no UTF-8 can hold it
    return file.getvalue().encode("utf-8", "replace")


def session_file(page: str, params: Sequence[links.Param], current: Mapping[str, str]) -> None:
    """Save a page's state as a file, long texts included, and open one again."""
    download(
        "Session file",
        json.dumps({"page": page, "state": dict(current)}, ensure_ascii=False, indent=1),
        "glassformer-session.json",
        "application/json",
    )
    with st.popover("Open a session file", type="tertiary"):
        st.file_uploader(
            "A session file saved here",
            type="json",
            max_upload_size=LARGEST_SESSION,
            key=f"{page}.session",
            on_change=lambda: _open(page, params),
        )
        if st.session_state.pop(f"{page}.session-opened", False):
            st.rerun(scope="app")  # the input stands outside this fragment
        if problem := st.session_state.pop(f"{page}.session-problem", None):
            st.warning(plain(problem))


def _open(page: str, params: Sequence[links.Param]) -> None:
    """Put an uploaded session's values in place; nonsense in it counts as absent."""
    uploaded = st.session_state[f"{page}.session"]
    if uploaded is None:
        return
    try:
        content = json.loads(uploaded.getvalue().decode("utf-8"))
        if content["page"] != page:
            raise KeyError(content["page"])
        given = {str(name): str(text) for name, text in content["state"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        st.session_state[f"{page}.session-problem"] = (
            f"{uploaded.name} is no session file of this page: save one with “Session file” first."
        )
        return
    for param in params:
        value = param.parse(given[param.name]) if param.name in given else None
        links.put(page, param, param.default if value is None else value)
    st.session_state[f"{page}.session-opened"] = True
