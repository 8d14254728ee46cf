"""Work that takes a while, in threads of its own: once for all who wait for it.

Results go into the cache; an error is given to everybody who waits, and is not kept. Each kind
of work has its own lane, so that a download of half a gigabyte holds up no training.
"""

import logging
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from core.engine.cache import ByteCache
from core.engine.requests import bytes_of
from core.errors import BusyError, InputError, ModelUnavailableError
from core.limits import JOBS
from core.long_work import Progress, Report, WithdrawnError

LOG = logging.getLogger(__name__)
TOLD: Final = (InputError, ModelUnavailableError, BusyError, WithdrawnError)  # no fault of ours
Value = TypeVar("Value")
Work = Callable[[Report], Value]


class Lane(StrEnum):
    """A kind of work."""

    MODELS = "models"
    LOOKUPS = "lookups"
    TRAININGS = "trainings"
    MEASUREMENTS = "measurements"


GRACE: Final = 1.0  # seconds for somebody else to look, after one has left
WORKERS: Final = {
    Lane.MODELS: 1,
    Lane.LOOKUPS: 2,
    Lane.TRAININGS: 2,
    Lane.MEASUREMENTS: 1,
}  # threads a lane


@dataclass
class _Watch:
    """When somebody last looked, and what there was to see."""

    patience: float | None  # seconds without a look after which the work ends; None: it goes on
    asked: float = field(default_factory=time.monotonic)
    latest: Progress | None = None
    cancelled: bool = False

    def report(self, progress: Progress) -> None:
        if self.cancelled:
            raise WithdrawnError
        if self.patience is not None and time.monotonic() - self.asked > self.patience:
            raise InputError("This was stopped because nobody waited for it. Ask again.")
        self.latest = progress


@dataclass(frozen=True, eq=False)
class Job(Generic[Value]):
    """Something on its way; whoever waits for it says so by looking."""

    future: Future[Value]
    watch: _Watch = field(default_factory=lambda: _Watch(None))
    place: Callable[[], int | None] = lambda: None  # in its lane: 1 is next; None: it has begun

    def progress(self) -> Progress | None:
        """How far it is. Asking keeps it alive."""
        self.watch.asked = time.monotonic()
        return self.watch.latest

    def leave(self) -> None:
        """Who asked waits no more: it ends soon, unless somebody else looks meanwhile."""
        if self.watch.patience is not None:
            self.watch.asked = time.monotonic() - self.watch.patience + GRACE


class Jobs:
    """Runs each piece of work once, and remembers its result while there is room."""

    def __init__(self, cache: ByteCache) -> None:
        self._cache = cache
        self._lock = Lock()
        self._watches: dict[Hashable, _Watch] = {}
        self._lanes = {lane: ThreadPoolExecutor(n, lane) for lane, n in WORKERS.items()}
        self._waiting: dict[Lane, list[Hashable]] = {lane: [] for lane in Lane}  # not begun

    def ask(
        self,
        key: Hashable,
        work: Work[Value],
        lane: Lane,
        *,
        nbytes: Callable[[Value], int] = bytes_of,
        patience: float | None = None,
    ) -> Job[Value]:
        """The job of a key; begun if it is neither done nor on its way.

        Its future raises BusyError where too many wait already.
        """
        with self._lock:
            future, mine = self._cache.claim(key)
            watch = self._watches.get(key) or _Watch(patience)
            watch.asked = time.monotonic()
            line = self._waiting[lane]
            refused = mine and len(line) >= JOBS
            if mine and not refused:
                line.append(key)
                self._watches[key] = watch
                self._lanes[lane].submit(self._run, key, work, nbytes, line)
        if refused:
            busy = BusyError(f"{JOBS} computations are waiting. Try again in a minute.")
            self._cache.abandon(key, busy)
        return Job(future, watch, lambda: _place(line, key))

    def progress(self, key: Hashable) -> Progress | None:
        """How far the job of a key is, if it is on its way."""
        watch = self._watches.get(key)
        return watch and watch.latest

    def cancel(self, key: Hashable) -> None:
        """The job of a key ends at its next report, with a WithdrawnError."""
        if (watch := self._watches.get(key)) is not None:
            watch.cancelled = True

    def close(self) -> None:
        """Begin nothing more, and wait for what was begun."""
        for lane in self._lanes.values():
            lane.shutdown()

    def _run(
        self,
        key: Hashable,
        work: Work[Any],
        nbytes: Callable[[Any], int],
        line: list[Hashable],
    ) -> None:
        with self._lock:
            line.remove(key)
        watch = self._watches[key]
        try:
            value = work(watch.report)
            size = nbytes(value)
        except BaseException as error:  # whoever waits must hear of it
            if not isinstance(error, TOLD):
                LOG.exception("a job failed")
            self._forget(key)
            self._cache.abandon(key, error)
        else:
            self._forget(key)
            self._cache.fulfil(key, value, size, slow=True)

    def _forget(self, key: Hashable) -> None:
        with self._lock:
            del self._watches[key]


def _place(line: list[Hashable], key: Hashable) -> int | None:
    try:
        return line.index(key) + 1
    except ValueError:
        return None
