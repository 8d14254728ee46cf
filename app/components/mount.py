"""Registering a component's files with Streamlit, and who owns a selection.

Shared by every component. `draw.js` and `base.css` are prepended to each
component's own files, so a component is one self-contained module: no iframe,
no build step, nothing fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import streamlit as st

HERE: Final = Path(__file__).parent
Choice = TypeVar("Choice")


def javascript(component: str) -> str:
    """The component's whole module: draw.js, its parts by name, view.js last."""
    parts = sorted((HERE / component).glob("*.js"), key=lambda part: (part.name == "view.js", part.name))
    return "\n".join(part.read_text("utf-8") for part in (HERE / "draw.js", *parts))


def stylesheet(component: str) -> str:
    """The component's whole style: base.css, then its own."""
    return "\n".join(path.read_text("utf-8") for path in (HERE / "base.css", HERE / component / "style.css"))


def register(component: str) -> Callable[..., Any]:
    """Register the folder `component` with Streamlit; call once, at import."""
    return st.components.v2.component(
        f"glassformer.{component}", js=javascript(component), css=stylesheet(component)
    )


class Seeded(Generic[Choice]):
    """A selection that lives in the browser and is *seeded* by the page.

    The browser answers a click within a frame and reports it afterwards. Sending
    each choice back would ship the whole figure again, so the frame carries a
    seed (the page's selection and a serial number) that changes only when the
    page asks for something the reader did not choose: a link, "Back", a chip.
    A report that quotes another serial number is older than the seed: ignored.
    """

    def __init__(self, key: str, wanted: Choice) -> None:
        self._slot = f"{key}:seed"
        serial, seed, reported = st.session_state.get(self._slot, (0, None, None))
        if wanted not in (seed, reported):
            serial, seed, reported = serial + 1, wanted, None
        elif wanted == seed and reported is not None and reported != seed:
            # The page went back to the seed although the reader had moved on.
            serial, reported = serial + 1, None
        self.serial: int = serial
        self.seed: Choice = seed
        self._keep(reported)

    def _keep(self, reported: Choice | None) -> None:
        st.session_state[self._slot] = (self.serial, self.seed, reported)

    def current(self, report: object, read: Callable[[object], Choice | None]) -> Choice:
        """The reader's choice if `report` is valid and recent, else the seed.

        `report` comes from the browser, so it is user input: `read` returns None
        for nonsense.
        """
        choice = None
        if isinstance(report, dict) and report.get("seed") == self.serial:
            choice = read(report.get("value"))
        self._keep(choice)
        return self.seed if choice is None else choice
