"""Work that nobody waits for any more ends half-way, at the points that it offers itself.

The engine says when (`cancellable`), long loops in models ask (`checkpoint`). Outside of an
engine nothing is ever cancelled.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final


class WithdrawnError(Exception):
    """Nobody waits for this any more. No reader ever sees it: there is none."""


_UNWANTED: Final[ContextVar[Callable[[], bool] | None]] = ContextVar("unwanted", default=None)


@contextmanager
def cancellable(unwanted: Callable[[], bool]) -> Generator[None]:
    """Within, every checkpoint of this thread asks whether the work is unwanted by now."""
    token = _UNWANTED.set(unwanted)
    try:
        yield
    finally:
        _UNWANTED.reset(token)


def checkpoint() -> None:
    """Between two parts of long work. Raises WithdrawnError when nobody waits for the rest."""
    unwanted = _UNWANTED.get()
    if unwanted is not None and unwanted():
        raise WithdrawnError
