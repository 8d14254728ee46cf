"""A cache bounded in bytes, least recently used first out, that computes a value once.

What is quick to make again has a share of the room, so that a class's many answers push out no
model and leave the rest of the machine's memory be. Threads that ask for the same missing key wait
for the first one's result. An error is given to all who wait, and is not kept.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar

from core.engine.requests import bytes_of

QUICK_SHARE: Final = 0.2  # of the room
Value = TypeVar("Value")


class _Held(NamedTuple):
    value: Any
    nbytes: int
    slow: bool  # to make again


class ByteCache:
    """Holds up to `limit` bytes, as its values count them; the newest value in any case."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = Lock()
        self._values: OrderedDict[Hashable, _Held] = OrderedDict()
        self._pending: dict[Hashable, Future[Any]] = {}
        self._quick = 0  # bytes
        self.nbytes = 0

    def claim(self, key: Hashable) -> tuple[Future[Any], bool]:
        """The future of a key's value, and whether the caller is the one to compute it."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                done: Future[Any] = Future()
                done.set_result(self._values[key].value)
                return done, False
            if key in self._pending:
                return self._pending[key], False
            future = self._pending[key] = Future()
            future.set_running_or_notify_cancel()  # others may wait for it: nobody cancels it
            return future, True

    def fulfil(
        self, key: Hashable, value: Any, size: int | None = None, *, slow: bool = False
    ) -> None:
        """Keep a claimed key's value and hand it to all who wait.

        `size`: its bytes. `slow`: it takes long to make again.
        """
        size = bytes_of(value) if size is None else size
        with self._lock:
            future = self._pending.pop(key)
            self._values[key] = _Held(value, size, slow)
            self._count(self._values[key], 1)
            while self._quick > self._limit * QUICK_SHARE and self._drop_one(key, quick=True):
                pass
            while self.nbytes > self._limit and self._drop_one(key):
                pass
        future.set_result(value)

    def _drop_one(self, newest: Hashable, *, quick: bool = False) -> bool:
        """Let go what was used longest ago, if there is anything but the newest to let go."""
        for key, held in self._values.items():
            if key != newest and not (quick and held.slow):
                self._count(self._values.pop(key), -1)
                return True
        return False

    def _count(self, held: _Held, sign: int) -> None:
        self.nbytes += sign * held.nbytes
        self._quick += 0 if held.slow else sign * held.nbytes

    def abandon(self, key: Hashable, error: BaseException) -> None:
        """A claimed key could not be computed: hand on the error, keep nothing."""
        with self._lock:
            future = self._pending.pop(key)
        future.set_exception(error)

    def holds(self, key: Hashable) -> bool:
        """Whether a key's value is here. Asking is no use of it."""
        return key in self._values

    def is_pending(self, key: Hashable) -> bool:
        """Whether somebody is to compute a key's value."""
        return key in self._pending

    def get(
        self,
        key: Hashable,
        compute: Callable[[], Value],
        nbytes: Callable[[Value], int] = bytes_of,
    ) -> Value:
        """The value of a key, computed in this thread if nobody has it or is at it."""
        future, mine = self.claim(key)
        if mine:
            try:
                value = compute()
                self.fulfil(key, value, nbytes(value))
            except BaseException as error:
                self.abandon(key, error)
        return future.result()
