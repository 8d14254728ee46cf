"""Pages are drawn one after another, in the order in which readers asked.

The interpreter runs one thread at a time anyway. Where a class asks at once, 200 threads that take
it from one another cost more than the pages themselves, and all of them end last.

Nobody waits long for one page: a run that takes more than LONGEST, or waits for an answer, lets the
next begin.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from threading import Event, Lock
from typing import Final, ParamSpec, TypeVar

LONGEST: Final = 0.05  # seconds for which one run keeps the next from beginning
Given = ParamSpec("Given")
Result = TypeVar("Result")


class Turn:
    """One run's place in the row."""

    def __init__(self, before: "Turn | None") -> None:
        self._before = before
        self._begun, self._over = Event(), Event()

    def begin(self, longest: float) -> None:
        """Wait until the run before is over, or has had its time."""
        if self._before is not None:
            self._before._begun.wait()
            self._before._over.wait(longest)
            self._before = None  # or every run that ever was would be kept
        self._begun.set()

    def end(self) -> None:
        """The next may begin; a second time changes nothing."""
        self._begun.set()
        self._over.set()


class Row:
    """The runs that are drawn, and those that wait for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last: Turn | None = None
        self._mine = threading.local()

    @contextmanager
    def turn(self) -> Generator[None]:
        """Draw within."""
        self._take()
        try:
            yield
        finally:
            self._give()

    @contextmanager
    def aside(self) -> Generator[None]:
        """Wait for something within; the next may begin meanwhile."""
        if getattr(self._mine, "turn", None) is None:  # no run's thread
            yield
            return
        self._give()
        try:
            yield
        finally:
            self._take()

    def _take(self) -> None:
        with self._lock:
            self._mine.turn = self._last = Turn(self._last)
        self._mine.turn.begin(LONGEST)

    def _give(self) -> None:
        self._mine.turn.end()
        self._mine.turn = None


ROW: Final = Row()


def in_turn(run: Callable[Given, Result]) -> Callable[Given, Result]:
    """`run`, when its turn has come."""

    @wraps(run)
    def waiting(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        with ROW.turn():
            return run(*args, **kwargs)

    return waiting
