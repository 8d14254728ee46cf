"""A selection in a text is of its words: another text that lacks them drops it, from the link, too.

A link's numbers are taken as they come; from then on the words that stand at them are known, and
numbers that stay while their words change belong to the former text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st

from app.components.selection import forget
from app.ui.param import Param
from app.ui.param_values import Cell, span

T = TypeVar("T")
Words = tuple[str, ...]


@dataclass(frozen=True)
class Places(Generic[T]):
    """Where words stand in the text that is shown."""

    words_at: Callable[[T], Words | None]  # None: nothing stands at this value
    allowed: str  # which values there are, in words


class InText(Generic[T]):
    """A parameter that points at words of the text that is shown."""

    def __init__(
        self,
        param: Param[T],
        places: Places[T],
        *,
        figures: tuple[str, ...] = (),
    ) -> None:
        """Reset the parameter where its words are gone, and what these figures' keys have of it."""
        self.param, self.words_at = param, places.words_at
        param.allow(places.allowed)
        before: tuple[T, Words] | None = st.session_state.get(_slot(param))
        words = self._noted()
        same_place = before is not None and before[0] == param.value
        if words is None or (same_place and before != (param.value, words)):
            self.put(param.default)
            for key in figures:
                forget(key)

    @property
    def value(self) -> T:
        return self.param.value

    def put(self, value: T) -> None:
        self.param.put(value)
        self._noted()

    def _noted(self) -> Words | None:
        """Remember the present value's words; () at the default."""
        value, default = self.param.value, self.param.default
        words = () if value == default else self.words_at(value)
        st.session_state[_slot(self.param)] = (value, words)
        return words


def choose(param: Param[T], value: T) -> None:
    """Put a selection that comes with its own text: an example's."""
    st.session_state.pop(_slot(param), None)
    param.put(value)


def pair_in(queries: Sequence[str], keys: Sequence[str]) -> Places[Cell | None]:
    """For a cell of a map of these tokens."""

    def words(cell: Cell | None) -> Words | None:
        if cell is None or cell[0] >= len(queries) or cell[1] >= len(keys):
            return None
        return queries[cell[0]], keys[cell[1]]

    return Places(words, span([(0, 0), (len(queries) - 1, len(keys) - 1)]))


def token_in(tokens: Sequence[str]) -> Places[int]:
    """For one of these tokens."""
    last = len(tokens) - 1
    return Places(lambda place: (tokens[place],) if 0 <= place <= last else None, f"0 to {last}")


def _slot(param: Param[T]) -> str:
    return f"{param.key}:words"
