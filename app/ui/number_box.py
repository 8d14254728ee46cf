"""A slider with a number box beside it: the same value, to be typed.

State and link hold the slider's value. The box has a key of its own; it is given the value
whenever it is drawn, and hands over what is typed in a callback, before anything is drawn.
"""

import re
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import streamlit as st

BOX: Final = ":box"  # after a slider's key: its box's
FORMAT: Final = re.compile(r"%[.\d]*[defg]")  # a box can't show a slider's words, such as "%d %%"

Amount = TypeVar("Amount", int, float)


def numbered_slider(label: str, low: Amount, high: Amount, *, key: str, **more: Any) -> None:
    """`st.slider` under `key`, with its box."""
    step = more.get("step", 1 if isinstance(low, int) else 0.01)
    format_ = more.get("format")

    def take(typed: Amount) -> None:
        st.session_state[key] = on_the_steps(typed, low, high, step)
        if (changed := more.get("on_change")) is not None:
            changed()

    with _row(key, more):
        st.slider(label, low, high, key=key, **more)
        _box(
            label,
            (low, high),
            st.session_state[key],
            take,
            key=key,
            step=step,
            format=format_ if FORMAT.fullmatch(str(format_)) else None,
            disabled=more.get("disabled", False),
        )


@contextmanager
def numbered_options(
    label: str,
    numbers: Sequence[float],
    at: int,
    take: Callable[[int], object],
    *,
    key: str,
    labels: Iterable[str],
    more: dict[str, Any],
) -> Generator[None]:
    """The `with` draws a slider over options; the box shows the number of the one `at`.

    labels: the options', which stay beside the knob where one says more than its number.
    more: what the slider is given besides, less its width, which becomes that of both.
    """
    worded = any(map(is_worded, labels, numbers))
    with _row(f"option-{key}" if worded else key, more):
        yield
        _box(
            label,
            (min(numbers), max(numbers)),
            numbers[at],
            lambda typed: take(nearest_option(typed, numbers[at], numbers)),
            key=key,
            format=None if isinstance(numbers[at], int) else "%g",
        )


def on_the_steps(typed: Amount, low: Amount, high: Amount, step: Amount) -> Amount:
    """The slider's step nearest to what was typed."""
    nearest = low + round((typed - low) / step) * step
    return type(low)(min(max(round(nearest, 9), low), high))


def nearest_option(typed: float, now: float, numbers: Sequence[float]) -> int:
    """Which of the numbers is meant; one up or down, as by an arrow key, leads to the next."""
    if abs(typed - now) == 1 and typed not in numbers:
        beyond = [number for number in numbers if (number - now) * (typed - now) > 0]
        if beyond:
            return numbers.index(min(beyond, key=lambda number: abs(number - now)))
    return min(range(len(numbers)), key=lambda at: abs(numbers[at] - typed))


def is_worded(label: str, number: float) -> bool:
    """Whether it says more than the number."""
    try:
        return float(label.replace(",", "")) != number
    except ValueError:
        return True


@contextmanager
def _row(key: str, more: dict[str, Any]) -> Generator[None]:
    """Where both stand (app/style/hands.css)."""
    with st.container(key=f"numbered-{key}", width=more.pop("width", "stretch"), gap=None):
        yield


def _box(
    label: str,
    limits: tuple[Amount, Amount],
    value: Amount,
    take: Callable[[Amount], object],
    *,
    key: str,
    **more: Any,
) -> None:
    box = key + BOX

    def taken() -> None:
        if box in st.session_state:  # else the page was left meanwhile
            take(st.session_state[box])

    st.session_state[box] = value
    st.number_input(
        f"{label}, as a number",
        *limits,
        key=box,
        on_change=taken,
        label_visibility="collapsed",
        **more,
    )
