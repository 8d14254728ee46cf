"""Enter runs the sentence in a field, Shift+Enter breaks its line: keys of Streamlit's text areas.

A field is one of them where it stands in a container whose key begins with `SENTENCE`.
"""

from __future__ import annotations

from typing import Final

from app.components.frame import pack
from app.components.mount import register

SENTENCE: Final = "sentence"
_mount: Final = register("text_keys")


def text_keys() -> None:
    """Draws nothing; once a run, before the fields, so that the first of them is listened to."""
    _mount(key="text-keys", data=pack({}, {}))
