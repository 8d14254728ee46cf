"""Registering a component's files with Streamlit.

Shared by every component. The scripts in SHARED and base.css are prepended
to each component's own files, so a component is one self-contained module: no iframe, no
build step, nothing fetched.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Protocol

from streamlit.components.v2 import component as register_with_streamlit

HERE: Final = Path(__file__).parent
PARTS: Final = (
    "numbers",
    "worked",
    "data",
    "marks",
    "colours",
    "draw",
    "cell_numbers",
    "selection",
    "figure",
    "export",
    "paper",
    "keys",
    "player",
)
SHARED: Final = tuple(f"{name}.js" for name in PARTS)
REFERENCE: Final = re.compile(r'^/// <reference path="\.\./(\w+/\w+\.js)" />$', re.MULTILINE)


def javascript(component: str) -> str:
    """The component's whole module: the shared parts, its own by name, view.js last.

    A part of another component comes before its own, if one of them refers to it; one that refers
    to nothing (it draws nothing) comes alone.
    """
    own = sorted(
        (HERE / component).glob("*.js"), key=lambda part: (part.name == "view.js", part.name)
    )
    texts = [part.read_text("utf-8") for part in own]
    borrowed = dict.fromkeys(path for text in texts for path in REFERENCE.findall(text))
    shared = SHARED if any("/// <reference path=" in text for text in texts) else ()
    before = [(HERE / name).read_text("utf-8") for name in (*shared, *borrowed)]
    return "\n".join([*before, *texts])


def stylesheet(component: str) -> str:
    """The component's whole style: base.css, then its own."""
    return "\n".join(
        path.read_text("utf-8") for path in (HERE / "base.css", HERE / component / "style.css")
    )


class Draw(Protocol):
    """Draws a frame; what the reader does with it is asked of app.components.selection."""

    def __call__(self, *, key: str, data: bytes) -> None: ...


def register(component: str) -> Draw:
    """Register the folder `component` with Streamlit; call once, at import."""
    mounted = register_with_streamlit(
        f"glassformer.{component}", js=javascript(component), css=stylesheet(component)
    )

    def draw(*, key: str, data: bytes) -> None:
        mounted(key=key, data=data, on_selection_change=_heard, on_click_change=_heard)

    return draw


def _heard() -> None:
    """Streamlit asks for a callback of every value that a component may report."""
