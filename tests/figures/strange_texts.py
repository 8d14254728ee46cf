"""Texts that a reader may type and a vocabulary may hold, put where a sample has a token."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from app.components.frame import pack, unpack

HOSTILE: Final = "</script><img src=x onerror=document.title='owned'>"
CAPTION: Final = "sample · seed 5"
STRANGE: Final = {
    "script": HOSTILE,
    "right to left": "\u202eשלום\u200f עולם\u2067",
    "emoji": "👩\u200d👩\u200d👧\u200d👦🏳️\u200d🌈é̂̃",
    "500 letters": "x" * 500,
    "nothing": "",
    "lines": "a\n\tb\r\0",
}


def with_text(frame: bytes, text: str, instead: str = HOSTILE) -> bytes:
    """The same frame with `text` in place of `instead`, in its header and in arrays of JSON.

    A caption, which ends with what the reader typed, has it too.
    """
    swaps = {instead: text, CAPTION: f"{CAPTION} {text}"}
    header, arrays = unpack(frame)
    for name, array in arrays.items():
        if array.dtype == np.uint8 and array.ndim == 1 and array[:1].tobytes() in (b"{", b"["):
            value = _swapped(json.loads(array.tobytes()), swaps)
            written = json.dumps(value, ensure_ascii=False).encode("utf-8")
            arrays[name] = np.frombuffer(written, dtype=np.uint8)
    return pack(_swapped(header, swaps), arrays)


def _swapped(value: Any, swaps: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _swapped(one, swaps) for name, one in value.items()}
    if isinstance(value, list):
        return [_swapped(one, swaps) for one in value]
    if isinstance(value, str):
        for old, new in swaps.items():
            value = value.replace(old, new)
    return value
