"""What the views of this page share: the reader's text and head, and sizes that are checked.

A size in a link that can't be shown is told by the page, not dropped in silence.
"""

from collections.abc import Callable
from typing import Final

import streamlit as st

from app.ui.number_box import numbered_slider
from app.ui.options import one_of
from app.ui.params import Param, Scope
from core.errors import InputError
from core.positions.sizes import check_positions, check_width

HERE: Final = Scope("positions")
LARGEST_SIDE: Final = 512  # positions or dimensions of a table that is drawn: 1 MB a picture
DEFAULT_TEXT: Final = "Paris is the capital of [MASK]."
BASES: Final = (10.0, 100.0, 1_000.0, 10_000.0, 100_000.0, 500_000.0, 1_000_000.0)

MODEL: Final = HERE.text("model", "bert-mini")  # for views on the reader's own text
TEXT: Final = HERE.text("text", DEFAULT_TEXT)
LAYER: Final = HERE.whole("layer", 0, 199, 1)
HEAD: Final = HERE.whole("head", 0, 199, 5)
READING: Final = (MODEL, TEXT, LAYER, HEAD)


def positions_size(
    scope: Scope, name: str, default: int, largest: int = LARGEST_SIDE, *, least: int = 1
) -> Param[int]:
    """A number of positions."""
    return _size(scope, name, default, check_positions, least, largest)


def width_size(
    scope: Scope, name: str, default: int, largest: int = LARGEST_SIDE, *, least: int = 2
) -> Param[int]:
    """A number of dimensions, which come in pairs."""
    return _size(scope, name, default, check_width, least, largest)


def base_choice(scope: Scope) -> Param[float]:
    """One of a ladder of bases."""

    def parse(given: str) -> float | None:
        try:
            value = float(given)
        except ValueError:
            return None
        if value not in BASES:
            offered = ", ".join(f"{base:,.0f}" for base in BASES)
            raise InputError(
                f"The link asks for base {given}; it is one of {offered}. Showing 10,000."
            )
        return value

    return scope.custom("base", 10_000.0, parse, "{:.0f}".format)


def slider(
    label: str, param: Param[int], low: int, high: int, step: int = 1, note: str | None = None
) -> int:
    """A slider over a size."""
    numbered_slider(label, low, high, step=step, key=param.key, help=note)
    return param.value


def base_slider(param: Param[float]) -> float:
    """The base of the wavelengths, on a logarithmic ladder."""
    return one_of(
        param,
        st.select_slider,
        "Base",
        BASES,
        lambda base: f"{base:,.0f}",
        help="10,000 in the paper; Llama 3 takes 500,000 for its rotary positions.",
    )


def _size(
    scope: Scope, name: str, default: int, check: Callable[[int], None], least: int, largest: int
) -> Param[int]:
    """A whole number from `least` to `largest` that the core accepts; others in a link are told."""

    def parse(given: str) -> int | None:
        try:
            value = int(given)
        except ValueError:
            return None
        try:
            check(value)
        except InputError as error:
            raise InputError(f"{error} Showing {default} instead.") from error
        if value < least:
            raise InputError(
                f"The link asks for {value}; {least} is the least that is drawn here. "
                f"Showing {default} instead."
            )
        if value > largest:
            raise InputError(
                f"The link asks for {value:,}; up to {largest} are drawn here, so that a slider is "
                f"followed at once. Showing {default} instead; `core.positions` takes more."
            )
        return value

    return scope.custom(name, default, parse, str)
