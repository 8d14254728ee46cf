"""The quiet row under every figure: numbers, an offline page, the session as a file.

Buttons compute nothing before they are pressed.
"""

import csv
import io
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import streamlit as st
from streamlit.runtime import memory_media_file_storage as media

# Streamlit names a file of more than 1 MiB by its length, head, middle and tail alone. Of two that
# differ elsewhere, such as one cell of a large map, whoever came second would get the first's.
media._PARTIAL_HASH_THRESHOLD = sys.maxsize  # pyright: ignore[reportPrivateUsage]


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
