"""Registering a component's files with Streamlit, and who owns a selection.

Shared by every component. The scripts in SHARED and base.css are prepended
to each component's own files, so a component is one self-contained module: no iframe, no
build step, nothing fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import streamlit as st
from streamlit.components.v2 import component as register_with_streamlit

HERE: Final = Path(__file__).parent
PARTS: Final = ("numbers", "data", "colours", "draw", "figure", "export", "keys", "player")
SHARED: Final = tuple(f"{name}.js" for name in PARTS)
REFERENCE: Final = re.compile(r'^/// <reference path="\.\./(\w+/\w+\.js)" />$', re.MULTILINE)
Choice = TypeVar("Choice")


def javascript(component: str) -> str:
    """The component's whole module: the shared parts, its own by name, view.js last.

    A part of another component comes before its own, if one of them refers to it.
    """
    own = sorted(
        (HERE / component).glob("*.js"), key=lambda part: (part.name == "view.js", part.name)
    )
    texts = [part.read_text("utf-8") for part in own]
    borrowed = dict.fromkeys(path for text in texts for path in REFERENCE.findall(text))
    before = [(HERE / name).read_text("utf-8") for name in (*SHARED, *borrowed)]
    return "\n".join([*before, *texts])


def stylesheet(component: str) -> str:
    """The component's whole style: base.css, then its own."""
    return "\n".join(
        path.read_text("utf-8") for path in (HERE / "base.css", HERE / component / "style.css")
    )


def register(component: str) -> Callable[..., Any]:
    """Register the folder `component` with Streamlit; call once, at import."""
    return register_with_streamlit(
        f"glassformer.{component}", js=javascript(component), css=stylesheet(component)
    )


def nothing() -> None:
    """The callback that Streamlit asks of every state value; pages read the return value."""


def picked(result: Any, count: int) -> int | None:
    """What a component's trigger `pick` says was clicked just now: one of `count`, else None."""
    index = getattr(result, "pick", None)
    return index if type(index) is int and 0 <= index < count else None


def picked_before(key: str, count: int) -> int | None:
    """The same before the component is drawn in this run: so a click costs one run, no rerun.

    A rerun in the middle of a fragment can leave Streamlit's browser side with children of a
    container that never came (cached messages survive the cleared queue in 1.67).
    """
    index = reported(key, "pick")
    return index if type(index) is int and 0 <= index < count else None


def reported(key: str, field: str) -> object:
    """What the browser says of a component's field in this run, before it is drawn."""
    state = st.session_state.get(key)
    return state.get(field) if isinstance(state, Mapping) else None


class Seeded(Generic[Choice]):
    """A selection that lives in the browser and is *seeded* by the page.

    The browser answers a click within a frame and reports it afterwards. Sending
    each choice back would ship the whole figure again, so the frame carries a seed
    (the page's selection and a serial number) that changes only when the page asks
    for something that the reader did not choose: a link, "Back", an example. A
    report that quotes another serial number is older than the seed, and ignored.
    """

    def __init__(
        self, key: str, field: str, wanted: Choice, read: Callable[[object], Choice | None]
    ) -> None:
        """`read` checks a report, which is user input: None means nonsense."""
        slot = f"{key}:{field}:seed"
        serial, seed, reported, asked = st.session_state.get(slot, (0, None, None, None))
        report = _report(key, field)
        remounted = report is None and reported is not None  # the page was left and came back
        if asked is None or remounted or wanted not in (asked, reported):
            serial, seed = serial + 1, wanted
        choice = read(report.get("value")) if report and report.get("seed") == serial else None
        self.serial: int = serial
        self.seed: Choice = seed
        self.choice: Choice = seed if choice is None else choice
        st.session_state[slot] = (serial, seed, choice, wanted)


def _report(key: str, field: str) -> Mapping[str, object] | None:
    report = reported(key, field)
    return report if isinstance(report, Mapping) else None
