"""What a question's answer is: all that can be said, and what a model says of each."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from jaxtyping import UInt8

from app.style.number_format import count

Value = TypeVar("Value")


class Wait(Protocol):
    """How whoever asks waits for a model."""

    def __call__(self, future: Future[Value], /) -> Value: ...


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Options that are clicked in rows and columns: heads, or the patches of a picture."""

    rows: int
    columns: int
    titles: tuple[str, str] = ("", "")  # of rows and columns
    picture: UInt8[np.ndarray, "height width 3"] | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """All that can be said, and the model's number of each."""

    options: tuple[str, ...]
    values: tuple[float, ...]
    measure: str  # what the numbers are
    right: int  # what is told
    accepted: frozenset[int]  # all that is right
    grid: Grid | None = None  # None: the options stand in a row
    amount: float | None = None  # the number that was asked for, if one was
    shares: bool = False  # the numbers are parts of one whole: probabilities, a row of weights

    def is_right(self, option: int) -> bool:
        return option in self.accepted

    @property
    def value(self) -> str:
        """The model's number, in words."""
        return count(self.values[self.right] if self.amount is None else self.amount)

    def note(self, option: int) -> str:
        """The model's number of one option, in words; "" where options have none."""
        return count(self.values[option]) if self.amount is None else ""


def largest(
    options: Sequence[str],
    values: Sequence[float],
    measure: str,
    *,
    near: float = 1.0,
    grid: Grid | None = None,
    shares: bool = False,
) -> Answers:
    """The largest number is right. near: what has at least this part of it is right, too."""
    right = int(np.argmax(values))
    least = near * values[right]
    accepted = frozenset(place for place, value in enumerate(values) if value >= least)
    return Answers(tuple(options), tuple(values), measure, right, accepted, grid, shares=shares)


class Question(Protocol):
    """What a lesson asks."""

    def answers(self, wait: Wait) -> Answers:
        """Raises InputError for what is not in the text, and what the model raises."""
        ...
