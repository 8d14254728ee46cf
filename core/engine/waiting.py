"""Who waits for which request: what nobody waits for any more need not be answered.

Somebody who asks and says no more wants the answer in any case. Who asks and waits (`held`)
wants it until they leave; a moment of grace is left to those who only draw their page anew.
"""

import time
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable
from contextlib import contextmanager
from threading import Lock
from typing import Final

GRACE: Final = 0.5  # seconds after the last one left


class Waiting:
    """Counts who waits, by a request's key."""

    def __init__(self, pending: Callable[[Hashable], bool]) -> None:
        """`pending`: whether a key's value is still to come."""
        self._pending = pending
        self._lock = Lock()
        self._here: Counter[Hashable] = Counter()
        self._left: dict[Hashable, float] = {}  # when the last one did
        self._always: set[Hashable] = set()

    def always(self, key: Hashable) -> None:
        """Somebody wants this whether they wait or not."""
        with self._lock:
            self._always.add(key)

    @contextmanager
    def held(self, keys: Iterable[Hashable]) -> Generator[None]:
        """While somebody waits for all of these."""
        wanted = tuple(keys)
        with self._lock:
            for key in wanted:
                self._here[key] += 1
                self._left.pop(key, None)
        try:
            yield
        finally:
            with self._lock:
                for key in wanted:
                    self._leave(key)

    def answered(self, key: Hashable) -> None:
        """Nothing is left to be withdrawn."""
        with self._lock:
            self._left.pop(key, None)
            self._always.discard(key)

    def unwanted(self, key: Hashable) -> bool:
        """Whether all who waited have left, some time ago."""
        left = self._left.get(key)
        alone = left is not None and time.monotonic() - left > GRACE
        return alone and key not in self._always

    def withdraw(self, key: Hashable, drop: Callable[[], None]) -> bool:
        """Drop it, unless somebody came back for it: nobody can come in between."""
        with self._lock:
            if not self.unwanted(key):
                return False
            self._left.pop(key)
            drop()
            return True

    def _leave(self, key: Hashable) -> None:
        self._here[key] -= 1
        if not self._here[key]:
            del self._here[key]
            if self._pending(key):
                self._left[key] = time.monotonic()
