"""A field of the lesson: what is typed is taken over at once, or told and kept until mended.

A change is made of the lesson as it is when it comes: since the field was drawn, it may have had
another.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

import streamlit as st

from app.content.lessons import Lesson
from app.style.markdown_escape import plain
from app.ui.lesson.draft import draft, take, turn, turn_over
from core.errors import InputError

UNKEPT: Final = "editor.unkept"  # what was typed and can't be taken over, by field
Value = TypeVar("Value")
LINE: Final = re.compile(r"^Line \d+: ")  # of a file that nobody sees here


class Unkept(NamedTuple):
    """What stands in a field, and not in the lesson."""

    typed: Any
    why: str


def field(
    widget: Callable[..., Any],
    label: str,
    name: str,
    value: Value,
    change: Callable[[Lesson, Value], Lesson],
    **more: Any,
) -> None:
    """`widget` with the value; `change` makes another lesson of one and what is typed.

    name: of the field among those of all steps.
    """
    key = f"editor.{turn()}.{name}"
    unkept = _unkept().get(name)
    if key not in st.session_state:
        st.session_state[key] = value if unkept is None else unkept.typed
    widget(label, key=key, on_change=lambda: _take(key, name, change), **more)
    if unkept is not None:
        st.warning(plain(f"Not taken over: {unkept.why}"), icon=":material/info:")


def restructure(change: Callable[[Lesson], Lesson], at: int) -> None:
    """The lesson gets other steps, of which this one is open; for callbacks."""
    if (here := draft()) is not None:
        take(change(here))
    st.session_state.pop(UNKEPT, None)
    turn_over(at)


def _take(key: str, name: str, change: Callable[[Lesson, Any], Lesson]) -> None:
    typed, here = st.session_state[key], draft()
    _unkept().pop(name, None)
    if here is None:
        return
    try:
        take(change(here, typed))
    except InputError as error:
        _unkept()[name] = Unkept(typed, LINE.sub("", str(error)))


def _unkept() -> dict[str, Unkept]:
    return st.session_state.setdefault(UNKEPT, {})
