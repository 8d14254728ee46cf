"""What the reader chose in a figure, and what was clicked: one protocol for every component.

The browser answers a click within a frame and reports it afterwards, as {serial, value} under
one of two names: "selection" says what holds from now on, "click" what happened just now (it is
gone in the next run). Sending a choice back would ship the whole figure again, so a frame
carries a *seed* (what the page asks for, and a serial number) that changes only when the page
asks for something that the reader did not choose: a link, "Back", an example. A report that
quotes another serial number is older than the seed, and ignored; one that the component's own
`read` makes nothing of is nonsense, and ignored, too. A node that Streamlit makes anew, because
what stands above it changed, gets the same seed again and goes on where the reader stood.

Everything can be asked before the figure is drawn in a run, and is the same when it is drawn: so
a click costs one run, and no rerun. (A rerun in the middle of a fragment can leave Streamlit's
browser side with children of a container that never came: cached messages survive the cleared
queue in 1.67.) The browser's end is selection.js.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final, Generic, TypeVar, cast

import streamlit as st

SELECTION: Final = "selection"
CLICK: Final = "click"
SLOT: Final = ":selection"  # ends the name of what is kept
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Seed(Generic[Value]):
    """What a frame asks of the browser. The defaults are those of an offline page."""

    value: Value
    serial: int = 1
    visit: str = ""  # under which the browser remembers where the reader stands; "": not at all

    @property
    def header(self) -> dict[str, object]:
        return {"serial": self.serial, "value": self.value, "visit": self.visit}


@dataclass(frozen=True, slots=True)
class _Last:
    """What is kept of a selection between two runs."""

    serial: int = 0
    seed: object = None
    reported: object = None
    present: object = None
    fresh: bool = True  # nothing has been asked for yet


class Selection(Generic[Value]):
    """What holds now of one figure's selection."""

    def __init__(
        self,
        key: str,
        present: Value,
        read: Callable[[object], Value | None],
    ) -> None:
        """`present`: what the page has; may be what an earlier call gave. `read` checks a report.

        A report is user input, and None says that it is nonsense: a value is never None.
        """
        slot = f"{key}{SLOT}"
        last: _Last = st.session_state.get(slot, _Last())
        serial, seed = last.serial, last.seed
        report = _report(key, SELECTION)
        told = read(report.get("value")) if report and report.get("serial") == serial else None
        remounted = report is None and last.reported is not None  # the page was left, and is back
        if last.fresh or remounted or present not in (last.present, last.reported, told):
            serial, seed, told = serial + 1, present, None
        visit = st.session_state.get(f"{key}:visit")
        if visit is None:
            visit = st.session_state[f"{key}:visit"] = token_hex(4)
        self.seed: Seed[Value] = Seed(seed, serial, visit)  # type: ignore[arg-type]
        self.value: Value = self.seed.value if told is None else told
        st.session_state[slot] = _Last(serial, seed, told, present, fresh=False)


def forget(key: str) -> None:
    """Whatever the browser reported is of another figure: what the page asks for next holds."""
    slot = f"{key}{SLOT}"
    st.session_state[slot] = _Last(st.session_state.get(slot, _Last()).serial)


def clicked_index(key: str, count: int) -> int | None:
    """Which of `count` things was clicked just now."""
    return clicked_value(key, lambda given: read_index(given, count - 1))


def clicked_value(key: str, read: Callable[[object], Value | None]) -> Value | None:
    """The same of things that are no plain row; `read` checks what the browser says."""
    report = _report(key, CLICK)
    if report is None or report.get("serial") != _clicks(key)[0]:
        return None
    return read(report.get("value"))


def clicks(key: str, things: Hashable) -> int:
    """The number of what can be clicked; to be asked when it is drawn, after `clicked_index`.

    It changes with the things. A click that quotes another number was meant for what stood there
    before.
    """
    serial, known = _clicks(key)
    if serial == 0 or known != things:
        serial += 1
    st.session_state[f"{key}:clicks"] = (serial, things)
    return serial


def selected_step(key: str, present: int, last: int) -> Selection[int]:
    """Of a figure that is walked through, the step at which it stands."""
    return Selection(key, min(present, last), lambda given: read_index(given, last))


def read_index(given: object, last: int, first: int = 0) -> int | None:
    """A whole number that a browser says, or None if it is none from `first` to `last`."""
    return given if type(given) is int and first <= given <= last else None


def _clicks(key: str) -> tuple[int, object]:
    return st.session_state.get(f"{key}:clicks", (0, None))


def items_of(report: object) -> list[Any]:
    """What a browser lists; nothing if it lists nothing."""
    return cast("list[Any]", report) if isinstance(report, list) else []


def _report(key: str, name: str) -> Mapping[str, object] | None:
    """What the browser says in this run, before anything is drawn."""
    state = st.session_state.get(key)
    report: Any = cast("Mapping[str, Any]", state).get(name) if isinstance(state, Mapping) else None
    return cast("Mapping[str, object]", report) if isinstance(report, Mapping) else None
