"""Long work looks up between two parts of it, at the points that it offers itself.

The engine says what then (`looking_up`): work that nobody waits for any more ends there, and what
others ask meanwhile is answered. Outside of an engine nothing happens.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final


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
