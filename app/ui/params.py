"""A page's state, one typed parameter at a time: its default, its place in links, its widgets.

A page, or one view of it, opens a `Scope` and declares its parameters there, each once:

    HERE = Scope("gpt")                       # shared by the page's views
    TEXT = HERE.text("text", "Once upon a")   # TEXT.value is a str
    STEP = Scope("gpt", "next").whole("step", 0, 511, 0)
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, Final, TypeVar

import streamlit as st
from typing_extensions import override

from app.components.hands import SENTENCE
from app.ui import carried
from app.ui.cell_params import Cells, OneCell
from app.ui.number_box import numbered_slider
from app.ui.options import Named, one_of
from app.ui.param import Param
from app.ui.param_values import read_numbers, write_numbers
from core.limits import LINK_CHARACTERS

MOST_LISTED: Final = 8  # words that a message lists
T = TypeVar("T")
Word = TypeVar("Word", bound=str)
Amount = TypeVar("Amount", int, float)


class Choice(Param[Word]):
    """One of a few words, each with a name for the reader."""

    def __init__(
        self,
        scope: str,
        name: str,
        options: Sequence[Word] | Mapping[Word, str],
        default: Word | None = None,
    ) -> None:
        self.names: Final[Mapping[Word, str]] = (
            options if isinstance(options, Mapping) else {word: word for word in options}
        )
        words = {str(word): word for word in self.names}
        form = ", ".join(words) if len(words) <= MOST_LISTED else ""
        super().__init__(scope, name, default or next(iter(self.names)), words.get, form=form)

    def segmented(self, label: str, *, quiet: bool = False, **more: Any) -> Word:
        """A row of segments; `quiet` keeps the label for screen readers alone."""
        return self._of(st.segmented_control, label, quiet, {"required": True} | more)

    def pills(self, label: str, *, quiet: bool = False, **more: Any) -> Word:
        return self._of(st.pills, label, quiet, {"required": True} | more)

    def radio(self, label: str, *, quiet: bool = False, **more: Any) -> Word:
        return self._of(st.radio, label, quiet, more)

    def selectbox(self, label: str, *, quiet: bool = False, **more: Any) -> Word:
        return self._of(st.selectbox, label, quiet, more)

    def _of(
        self, widget: Callable[..., Any], label: str, quiet: bool, more: Mapping[str, Any]
    ) -> Word:
        widget(
            label,
            list(self.names),
            format_func=self.names.__getitem__,
            key=self.key,
            label_visibility="collapsed" if quiet else "visible",
            **more,
        )
        return self.value


class Flag(Param[bool]):
    """Off by default."""

    def __init__(self, scope: str, name: str) -> None:
        words = {"1": True, "0": False}
        form = ", ".join(words)
        super().__init__(
            scope, name, default=False, parse=words.get, write=lambda on: str(+on), form=form
        )

    def toggle(self, label: str, **more: Any) -> bool:
        st.toggle(label, key=self.key, **more)
        return self.value


class Number(Param[Amount]):
    """A number within limits."""

    def __init__(
        self, scope: str, name: str, low: Amount, high: Amount, default: Amount, kind: type[Amount]
    ) -> None:
        def parse(given: str) -> Amount | None:
            try:
                value = kind(given)
            except ValueError:
                return None
            return value if low <= value <= high else None

        self.low: Final = low
        self.high: Final = high
        whole = kind is int
        # below 0, and by default: what stands for choices of the view's own
        self._has_own: Final = whole and default == low < 0
        # :g would round a large whole number
        write = str if whole else "{:g}".format
        least = 0 if self._has_own else low
        form = f"{'a whole number' if whole else 'a number'} from {write(least)}"
        super().__init__(scope, name, default, parse, write, f"{form} to {write(high)}")

    @override
    def shown(self, value: Amount) -> str:
        return "" if self._has_own and value < 0 else self.write(value)

    def kept_below(self, count: Amount) -> Amount:
        """The value; the last that there is, where a link or another model had more."""
        self.allow(f"0 to {count - 1:g}")
        if self.value >= count:
            self.put(count - 1)
        return self.value

    def below(self, count: Amount) -> Amount:
        """The value; the default, where a link or another model had more."""
        self.allow(f"0 to {count - 1:g}")
        if self.value >= count:
            self.reset()
        return self.value

    def slider(
        self, label: str, low: Amount | None = None, high: Amount | None = None, **more: Any
    ) -> Amount:
        """Over the parameter's limits, or over less; a value beyond goes to its end."""
        return self._of(numbered_slider, label, low, high, more)

    def number_input(
        self, label: str, low: Amount | None = None, high: Amount | None = None, **more: Any
    ) -> Amount:
        return self._of(st.number_input, label, low, high, more)

    def _of(
        self,
        widget: Callable[..., Any],
        label: str,
        low: Amount | None,
        high: Amount | None,
        more: Mapping[str, Any],
    ) -> Amount:
        least = self.low if low is None else low
        most = self.high if high is None else high
        if low is not None or high is not None:
            self.allow(f"{self.write(least)} to {self.write(most)}")
        if not least <= self.value <= most:
            self.put(min(max(self.value, least), most))
        widget(label, least, most, key=self.key, **more)
        return self.value


class Step(Param[int]):
    """One of a few numbers, in their order."""

    def __init__(self, scope: str, name: str, steps: Sequence[int], default: int) -> None:
        self.steps: Final = steps
        words = {str(step): step for step in steps}
        super().__init__(scope, name, default, words.get, form=", ".join(words))

    def select_slider(self, label: str, named: Named = str, **more: Any) -> int:
        return one_of(self, st.select_slider, label, self.steps, named, **more)


class Text(Param[str]):
    """What a reader types."""

    def __init__(self, scope: str, name: str, default: str = "") -> None:
        super().__init__(scope, name, default, lambda given: given[: 10 * LINK_CHARACTERS])

    def area(
        self,
        label: str,
        *,
        height: int = 68,
        lines: bool = False,
        changed: Callable[[], None] | None = None,
        **more: Any,
    ) -> str:
        """`changed` is called when the reader typed something else.

        Enter runs what is typed and Shift+Enter breaks its line, except where it consists of
        `lines`: there Ctrl+Enter runs it.
        """
        typed = partial(self._typed, changed)
        limited = "-limited" if "max_chars" in more else ""
        place = nullcontext() if lines else st.container(key=f"{SENTENCE}{limited}-{self.key}")
        with place:
            st.text_area(label, key=self.key, height=height, on_change=typed, **more)
        return self.value

    def line(self, label: str, **more: Any) -> str:
        st.text_input(label, key=self.key, on_change=self._typed, **more)
        return self.value

    def _typed(self, changed: Callable[[], None] | None = None) -> None:
        if self.name == "text":  # what every page that reads a sentence calls it
            carried.remember(self.value)
        if changed is not None:
            changed()


class Scope:
    """Where a page, or one view of it, declares its parameters."""

    def __init__(self, page: str, view: str = "") -> None:
        self.page: Final = page
        self.path: Final = f"{page}.{view}" if view else page

    def key(self, name: str) -> str:
        """A session key beside the parameters', forgotten with them."""
        return f"{self.path}.{name}"

    def choice(
        self, name: str, options: Sequence[Word] | Mapping[Word, str], default: Word | None = None
    ) -> Choice[Word]:
        """One of a few words; the first is the default."""
        return Choice(self.path, name, options, default)

    def flag(self, name: str) -> Flag:
        return Flag(self.path, name)

    def whole(self, name: str, low: int, high: int, default: int) -> Number[int]:
        return Number(self.path, name, low, high, default, int)

    def real(self, name: str, low: float, high: float, default: float) -> Number[float]:
        return Number(self.path, name, low, high, default, float)

    def step(self, name: str, steps: Sequence[int], default: int) -> Step:
        """One of a few numbers."""
        return Step(self.path, name, steps, default)

    def text(self, name: str, default: str = "") -> Text:
        return Text(self.path, name, default)

    def cell(self, name: str) -> OneCell:
        """Two places counted from 0, "3.1", or none: a head in its layer, a query and a key."""
        return OneCell(self.path, name)

    def cells(self, name: str) -> Cells:
        """Several of them: "3.1,5.11"."""
        return Cells(self.path, name)

    def numbers(self, name: str, below: int) -> Param[tuple[int, ...]]:
        """Whole numbers from 0 up to `below`, in their order: "4,6"."""
        return Param[tuple[int, ...]](
            self.path,
            name,
            (),
            lambda given: read_numbers(given, below),
            write_numbers,
            f"whole numbers from 0 to {below - 1}, such as 4,6",
        )

    def custom(
        self, name: str, default: T, parse: Callable[[str], T | None], write: Callable[[T], str]
    ) -> Param[T]:
        """Any other value."""
        return Param(self.path, name, default, parse, write)
