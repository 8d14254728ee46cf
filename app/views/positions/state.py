"""What every view of this page shares: its name in links, and how parameters are read.

Each view module holds its own parameters; their names in links must differ across views. A
size in a link that can't be shown is told, not dropped in silence: see `size`.
"""

from collections.abc import Callable
from typing import Final

import streamlit as st

from app.style.markdown_escape import plain
from app.ui import params
from core.errors import InputError
from core.positions.sizes import check_positions, check_width

PAGE: Final = "positions"
REFUSED: Final = f"{PAGE}.refused"  # {parameter: why its link's value is not shown}
LARGEST_SIDE: Final = 512  # positions or dimensions of a table that is drawn: 1 MB a picture
DEFAULT_TEXT: Final = "Paris is the capital of [MASK]."
BASES: Final = (10.0, 100.0, 1_000.0, 10_000.0, 100_000.0, 500_000.0, 1_000_000.0)


MODEL = params.text("m", "bert-mini")  # for views on the reader's own text
TEXT = params.text("text", DEFAULT_TEXT)
LAYER = params.number("layer", 0, 199, 1)
HEAD = params.number("head", 0, 199, 5)
SHARED = (MODEL, TEXT, LAYER, HEAD)


def get(param: params.Param):
    """A parameter's present value."""
    return params.value(PAGE, param)


def put(param: params.Param, value: object) -> None:
    params.put(PAGE, param, value)


def key(param: params.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"


def size(name: str, default: int, check: Callable[[int], None], largest: int) -> params.Param:
    """A whole number up to `largest` that the core accepts; what it refuses in a link is told."""

    def parse(given: str) -> int | None:
        try:
            value = int(given)
        except ValueError:
            return None
        try:
            check(value)
        except InputError as error:
            _refuse(name, f"{error} Showing {default} instead.")
            return None
        if value > largest:
            _refuse(
                name,
                f"The link asks for {value:,}; up to {largest} are drawn here, so that a slider is "
                f"followed at once. Showing {default} instead; `core.positions` takes more.",
            )
            return None
        return value

    return params.Param(name, default, parse)


def positions_size(name: str, default: int, largest: int = LARGEST_SIDE) -> params.Param:
    """A number of positions."""
    return size(name, default, check_positions, largest)


def width_size(name: str, default: int, largest: int = LARGEST_SIDE) -> params.Param:
    """A number of dimensions, which come in pairs."""
    return size(name, default, check_width, largest)


def base_choice(name: str) -> params.Param:
    """One of a ladder of bases."""

    def parse(given: str) -> float | None:
        try:
            value = float(given)
        except ValueError:
            return None
        if value not in BASES:
            offered = ", ".join(f"{base:,.0f}" for base in BASES)
            _refuse(
                name, f"The link asks for base {given}; it is one of {offered}. Showing 10,000."
            )
            return None
        return value

    return params.Param(name, 10_000.0, parse, lambda value: f"{value:.0f}")


def tell_refused() -> None:
    """Say which of the link's sizes are not shown; the next change of a size ends it."""
    for reason in st.session_state.get(REFUSED, {}).values():
        st.warning(plain(reason), icon=":material/info:")


def slider(
    label: str, param: params.Param, low: int, high: int, step: int = 1, note: str | None = None
) -> int:
    """A slider over a size."""
    return st.slider(label, low, high, step=step, key=key(param), on_change=_heed(param), help=note)


def base_slider(param: params.Param) -> float:
    """The base of the wavelengths, on a logarithmic ladder."""
    return st.select_slider(
        "Base",
        BASES,
        format_func=lambda base: f"{base:,.0f}",
        key=key(param),
        on_change=_heed(param),
        help="10,000 in the paper; Llama 3 takes 500,000 for its rotary positions.",
    )


def _heed(param: params.Param) -> Callable[[], None]:
    return lambda: st.session_state.get(REFUSED, {}).pop(param.name, None)


def _refuse(name: str, reason: str) -> None:
    st.session_state[REFUSED] = st.session_state.get(REFUSED, {}) | {name: reason}
