"""Long work, between two of its parts: it says how far it is, and it looks up.

The engine says what looking up does (`looking_up`): work that nobody waits for any more ends there,
and what others ask meanwhile is answered. Outside of an engine nothing happens.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Progress:
    """So much is done; `total` is what was asked for, and the work may stop before."""

    stage: str
    done: float
    total: float

    @property
    def share(self) -> float:
        """From 0 to 1; 0 where nothing is known of the end."""
        return min(1.0, self.done / self.total) if self.total > 0 else 0.0


Report = Callable[[Progress], None]


class WithdrawnError(Exception):
    """Nobody waits for this any more. No reader ever sees it: there is none."""


_LOOK: Final[ContextVar[Callable[[], None] | None]] = ContextVar("look", default=None)


@contextmanager
def looking_up(look: Callable[[], None]) -> Generator[None]:
    """Within, every checkpoint of this thread calls `look`, which may raise WithdrawnError."""
    token = _LOOK.set(look)
    try:
        yield
    finally:
        _LOOK.reset(token)


def checkpoint() -> None:
    """Between two parts of long work; neither a recorder nor a mode of torch's is on.

    Raises WithdrawnError when nobody waits for the rest.
    """
    look = _LOOK.get()
    if look is not None:
        look()
