"""Keys and wheel for Streamlit's own elements: Enter runs a sentence, the wheel turns a long row.

A field is a sentence's where it stands in a container whose key begins with `SENTENCE`; Shift+Enter
breaks its line. Rows are those of controls, chips and views.
"""

from __future__ import annotations

from typing import Final

from app.components.frame import pack
from app.components.mount import register

SENTENCE: Final = "sentence"
_mount: Final = register("hands")


def hands() -> None:
    """Draws nothing; once a run, before the fields, so that the first of them is listened to."""
    _mount(key="hands-keys", data=pack({}, {}))
