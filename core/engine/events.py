"""What happens in engines, told to whoever counts it; the latest are kept until somebody does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock
from time import perf_counter
from typing import Any, Final, TypeAlias

from core.errors import BusyError, InputError, ModelUnavailableError
from core.long_work import WithdrawnError

KEPT: Final = 1000


class Found(StrEnum):
    """What there was of an answer when it was asked for."""

    CACHED = "cached"
    PENDING = "pending"  # somebody else waits for it
    STORED = "stored"  # on the disk
    NOTHING = "nothing"  # a model is asked
    FULL = "full"  # and the line was
    OVERDRAWN = "overdrawn"  # a reader's allowance


@dataclass(frozen=True, slots=True)
class Asked:
    """A request came."""

    question: str
    found: Found


@dataclass(frozen=True, slots=True)
class Ended:
    """A request that a model was asked has its answer, or none."""

    question: str
    outcome: str
    seconds: float  # since it came, waiting included


@dataclass(frozen=True, slots=True)
class Together:
    """Requests were answered in one pass."""

    size: int


Event: TypeAlias = Asked | Ended | Together
Listener: TypeAlias = Callable[[Event], object]
OUTCOMES: Final[dict[type[BaseException], str]] = {
    InputError: "refused",
    ModelUnavailableError: "unavailable",
    WithdrawnError: "withdrawn",
    BusyError: "busy",
}


class Events:
    """Hands on what it is told; nothing is computed, and no text is in it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: deque[Event] = deque(maxlen=KEPT)
        self._listener: Listener = self._kept.append

    def tell(self, event: Event) -> None:
        self._listener(event)

    def listen(self, listener: Listener) -> None:
        """From now on, and what was kept. The last who listens is the only one."""
        with self._lock:
            self._listener = listener
            while self._kept:
                listener(self._kept.popleft())

    def time(self, question: str, future: Future[Any]) -> None:
        """Tell how a future ends, and when."""
        began = perf_counter()

        def ended(done: Future[Any]) -> None:
            error = done.exception()
            outcome = "answered" if error is None else OUTCOMES.get(type(error), "failed")
            self.tell(Ended(question, outcome, perf_counter() - began))

        future.add_done_callback(ended)


EVENTS: Final = Events()


class Batches:
    """Sizes of batches since they were taken last: for who is counted elsewhere."""

    def __init__(self, events: Events = EVENTS) -> None:
        self._sizes: deque[int] = deque(maxlen=KEPT)
        events.listen(self._note)

    def taken(self) -> tuple[int, ...]:
        """Each of them once."""
        return tuple(self._sizes.popleft() for _ in range(len(self._sizes)))

    def _note(self, event: Event) -> None:
        if isinstance(event, Together):
            self._sizes.append(event.size)
