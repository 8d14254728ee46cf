"""The pages, in the navigation's order: known by name, imported when they are first shown.

Importing all of them took the first reader half a second before anything was drawn.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final, Protocol, cast

import streamlit as st

from app.ui import recovery


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page stands."""

    label: str
    icon: str
    hidden: bool = False  # from the navigation: other pages lead there


PLACES: Final = {  # by url path
    "": Place("Home", ":material/home:"),
    "attention": Place("Attention", ":material/visibility:"),
    "tokenization": Place("Tokenization", ":material/merge:"),
    "tokenizers": Place("Tokenizers", ":material/view_week:"),
    "positions": Place("Positions", ":material/pin_drop:"),
    "blocks": Place("Building blocks", ":material/widgets:"),
    "transformer": Place("Transformer", ":material/translate:"),
    "bert": Place("BERT", ":material/edit_note:"),
    "gpt": Place("GPT", ":material/keyboard_double_arrow_right:"),
    "vision": Place("Vision", ":material/image_search:"),
    "training": Place("Training", ":material/timeline:"),
    "editor": Place("Make a lesson", ":material/co_present:"),
    "notes": Place("Notes", ":material/sticky_note_2:", hidden=True),
    "handout": Place("Handout", ":material/print:", hidden=True),
    "about": Place("About", ":material/info:"),
}


class Drawable(Protocol):
    """What the module of a page has as `PAGE`."""

    def render(self) -> None: ...


def page(path: str) -> Drawable:
    """The page at a url path; KeyError for one that is not there."""
    name = "home" if path == "" else path
    if path not in PLACES:
        raise KeyError(path)
    return cast("Drawable", import_module(f"app.views.{name}").PAGE)


def pages() -> dict[str, st.Page]:
    """Streamlit's, for one run: it marks the one that it draws."""
    return {path: copy(made) for path, made in _made().items()}


@cache
def _made() -> dict[str, st.Page]:
    """What every run copies."""
    return {
        path: st.Page(
            _drawing(path),
            title=place.label,
            icon=place.icon,
            url_path=path,
            default=not path,
            visibility="hidden" if place.hidden else "visible",
        )
        for path, place in PLACES.items()
    }


def _drawing(path: str) -> Callable[[], None]:
    """Draw a page, whatever happens in it."""

    def draw() -> None:
        with recovery.guarded(path):
            page(path).render()

    return draw
