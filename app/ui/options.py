"""Widgets over options that differ from run to run: state holds values, never their labels.

A browser answers a select box, segments or pills with the *label* that it shows. Where labels or
options have changed meanwhile (another picture, another model), Streamlit makes a label that it
doesn't know the value. So the widget has a key of its own beside the parameter's, and only what
this run's options hold is taken over; anything else changes nothing.
"""

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any, Final, TypeVar, cast

import streamlit as st

from app.ui.number_box import numbered_options
from app.ui.param import Param

T = TypeVar("T")
WIDGET: Final = ":options"  # after a parameter's key: its widget's
Named = Callable[[Any], str]


def one_of(
    param: Param[T],
    widget: Callable[..., object],
    label: str,
    options: Iterable[T],
    named: Named = str,
    *,
    changed: Callable[[], object] = lambda: None,
    numbers: Callable[[T], float] | None = None,
    **more: Any,
) -> T:
    """`widget` (st.selectbox, st.pills, …) over `options`; chosen away, the default comes back.

    None is lit while the parameter has another value. `changed` is called after a reader's choice.
    A slider has a number box, over the options themselves or their `numbers`.
    """

    def take(chosen: object) -> None:
        param.put(param.default if chosen is None else cast("T", chosen))
        changed()

    offered = tuple(options)
    shown = param.value if param.value in offered else None
    key = param.key + WIDGET
    box = nullcontext()
    if widget is st.select_slider and shown is not None:
        of = [cast("float", one) if numbers is None else numbers(one) for one in offered]
        at = offered.index(shown)
        box = numbered_options(
            label,
            of,
            at,
            lambda to: take(offered[to]),
            key=key,
            labels=map(named, offered),
            more=more,
        )
    with box:
        option_widget(widget, label, offered, named, key=key, shown=shown, take=take, **more)
    return param.value


def some_of(
    param: Param[tuple[T, ...]],
    widget: Callable[..., object],
    label: str,
    options: Iterable[T],
    named: Named = str,
    *,
    in_order: bool = False,
    needed: bool = False,
    **more: Any,
) -> tuple[T, ...]:
    """Several of them, as chosen or `in_order` of the options; `needed`: one at least."""
    offered = tuple(options)
    key = param.key + WIDGET

    def take() -> None:
        if key not in st.session_state or not param.held:  # the page was left meanwhile
            return
        chosen = cast("list[T]", st.session_state[key] or [])
        if all(one in offered for one in chosen) and (chosen or not needed):
            param.put(tuple(sorted(chosen, key=offered.index) if in_order else chosen))

    st.session_state[key] = [one for one in param.value if one in offered]
    widget(label, offered, format_func=named, key=key, on_change=take, **more)
    return param.value


def option_widget(
    widget: Callable[..., object],
    label: str,
    options: Iterable[object],
    named: Named,
    *,
    key: str,
    shown: object,
    take: Callable[[object], object],
    typed: Callable[[str], object] = lambda _: None,
    **more: Any,
) -> None:
    """One widget whose choice is not one parameter's; `take` gets an option, or None.

    typed: gets what is none of the options, where the widget takes that.
    """
    offered = tuple(options)
    if widget is st.select_slider:
        more["value"] = shown  # what it makes of a label that it doesn't know

    def taken() -> None:
        if key not in st.session_state:  # the page was left meanwhile
            return
        chosen = st.session_state[key]
        if chosen is None or chosen in offered:
            take(chosen)
        elif isinstance(chosen, str):
            typed(chosen)

    st.session_state[key] = shown
    widget(label, offered, format_func=named, key=key, on_change=taken, **more)
