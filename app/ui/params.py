"""A page's state as query parameters: read once on entering, written back after every change.

What comes in a link is anybody's input: a value that is not allowed counts as absent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

LONGEST_TEXT = 2000  # characters of a text that still enter a link
ENTERED = "links.entered"


@dataclass(frozen=True)
class Param:
    """One piece of state: its name in links, and how a link's string is read and written."""

    name: str
    default: Any
    parse: Callable[[str], Any]  # the value, or None for nonsense
    write: Callable[[Any], str] = str


def choice(name: str, options: Sequence[str], default: str | None = None) -> Param:
    """One of a few words; the first is the default."""
    return Param(name, default or options[0], lambda given: given if given in options else None)


def flag(name: str) -> Param:
    """Off by default."""
    return Param(
        name, default=False, parse=lambda g: True if g == "1" else None, write=lambda _: "1"
    )


def text(name: str, default: str = "") -> Param:
    return Param(name, default, lambda given: given[: 10 * LONGEST_TEXT])


def number(name: str, low: float, high: float, default: float) -> Param:
    """A number within limits; an integer where the default is one."""
    kind = type(default)

    def parse(given: str) -> float | None:
        try:
            value = kind(given)
        except ValueError:
            return None
        return value if low <= value <= high else None

    write = str if kind is int else "{:g}".format  # :g would round a large whole number
    return Param(name, default, parse, write)


def enter(page: str) -> None:
    """Forget a page's state when another page is entered, so that its link restores it."""
    if st.session_state.get(ENTERED) != page:
        st.session_state[ENTERED] = page
        for key in [key for key in st.session_state if str(key).startswith(f"{page}.")]:
            del st.session_state[key]


def seed(page: str, params: Sequence[Param]) -> bool:
    """Give every parameter that has no value yet the link's, or its default.

    Tells whether the page has just been entered.
    """
    entered = all(f"{page}.{param.name}" not in st.session_state for param in params)
    for param in params:
        key = f"{page}.{param.name}"
        if key not in st.session_state:
            given = st.query_params.get(param.name)
            value = None if given is None else param.parse(given)
            st.session_state[key] = param.default if value is None else value
        else:  # keeps the value of a widget that this run does not draw
            st.session_state[key] = st.session_state[key]
    return entered


def value(page: str, param: Param) -> Any:
    return st.session_state[f"{page}.{param.name}"]


def put(page: str, param: Param, new: Any) -> None:
    st.session_state[f"{page}.{param.name}"] = new


def written(page: str, params: Sequence[Param]) -> dict[str, str]:
    """Every parameter that differs from its default, as strings."""
    current = {param: value(page, param) for param in params}
    return {p.name: p.write(now) for p, now in current.items() if now != p.default}


def shortened(params: Mapping[str, str]) -> tuple[dict[str, str], str | None]:
    """What fits into a link, and a sentence about what does not."""
    short = {name: given for name, given in params.items() if len(given) <= LONGEST_TEXT}
    left_out = sorted(params.keys() - short.keys())
    if not left_out:
        return short, None
    return short, (
        f"The link leaves out the {' and the '.join(left_out)}: more than {LONGEST_TEXT:,} "
        "characters. Save the session file instead."
    )
