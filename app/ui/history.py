"""The browser's Back, within a page: it undoes a change of view, model, text or picture.

Each such change is a step, a history entry of its own. Everything else (sliders, selections) is
written into the entry that is there. The browser's end is components/permalink. A page that is
left for another one is found as it was.
"""

from collections.abc import Mapping
from itertools import count
from typing import Final, NamedTuple, cast
from urllib.parse import parse_qsl

import streamlit as st

from app.components.permalink import Entry
from app.components.selection import clicked_value

STEPS: Final = frozenset(
    (
        *("lesson", "view", "part", "model", "other_model", "picture_model", "tokenizers"),
        *("text", "pair", "target", "corpus", "own", "words", "word", "passage", "question"),
        *("picture", "other_picture", "s1", "s2", "s3"),
    )
)
LEFT: Final = "history.left"  # every page's whole state when it was last drawn
LARGEST: Final = 10**6  # steps that a browser can have taken
STAYS: Final = count(1)  # of all readers on all pages


class _Kept(NamedTuple):
    """Where the reader stands on a page, and what of their steps the address bar can't hold."""

    entry: Entry
    shown: Mapping[str, str] | None  # the parameters in STEPS; None where the step just began
    whole: Mapping[int, Mapping[str, str]]  # by step: all that was written
    returned: Mapping[str, str] | None = None


def step(page: str, written: Mapping[str, str], short: Mapping[str, str]) -> Entry:
    """The step at which the reader stands, for the browser's history.

    `written` is the page's whole state, `short` what of it the link carries.
    """
    kept = _kept(page)
    shown = {name: given for name, given in written.items() if name in STEPS}
    number = kept.entry.step + (kept.shown is not None and kept.shown != shown)
    whole = {at: state for at, state in kept.whole.items() if at != number}
    if short != written:
        whole[number] = dict(written)
    entry = Entry(number, kept.entry.stay or next(STAYS), kept.entry.heard)
    _keep(page, _Kept(entry, shown, whole))
    st.session_state.setdefault(LEFT, {})[page] = dict(written)
    return entry


def left(page: str) -> Mapping[str, str] | None:
    """What was written when the page was last drawn; None if it never was."""
    return st.session_state.get(LEFT, {}).get(page)


def start_over(page: str) -> None:
    """Show the page as a link without parameters does; for callbacks."""
    _keep(page, _kept(page)._replace(returned={}))


def forget(page: str) -> None:
    """The reader comes from elsewhere."""
    st.session_state.pop(_slot(page), None)


def hear(page: str) -> bool:
    """Whether the reader went back (or forward) just now, to another step of this page."""
    kept = _kept(page)
    went = clicked_value(link_key(page), _read)
    if went is not None:
        number, link, heard = went
        whole = kept.whole.get(number, {})
        back = whole if link.items() <= whole.items() else link
        _keep(page, _Kept(Entry(number, kept.entry.stay, heard), None, kept.whole, back))
    return _kept(page).returned is not None


def returned(page: str) -> Mapping[str, str] | None:
    """What that step's link says; None where the reader went nowhere."""
    if not hear(page):
        return None
    kept = _kept(page)
    _keep(page, kept._replace(returned=None))
    return kept.returned


def link_key(page: str) -> str:
    """The component that writes the address bar."""
    return f"{page}.link"


def _read(report: object) -> tuple[int, dict[str, str], int] | None:
    match report:
        case {"step": int(number), "search": str(search), "count": int(times)} if (
            0 <= number <= LARGEST and 0 <= times <= LARGEST
        ):
            link = dict(parse_qsl(search.removeprefix("?"), keep_blank_values=True))
            return number, link, times
        case _:
            return None


def _slot(page: str) -> str:
    return f"history:{page}"


def _kept(page: str) -> _Kept:
    return cast("_Kept", st.session_state.get(_slot(page), _Kept(Entry(), None, {})))


def _keep(page: str, kept: _Kept) -> None:
    st.session_state[_slot(page)] = kept
