"""How many long questions a reader may ask: a bucket of tokens for each, filled again in time.

A token bucket (Turner 1986; RFC 2697): bursts up to what it holds, then as many as come back. What
others asked already, and what is known, costs nothing.
"""

import math
import time
from collections.abc import Callable, Hashable
from threading import Lock

from core.limits import LONG_AT_ONCE, LONG_PER_SECOND

Clock = Callable[[], float]


class Allowance:
    """Of every asker; who asks nothing for as long as a bucket takes to fill is forgotten."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        """`clock`: seconds."""
        self._clock = clock
        self._lock = Lock()
        self._buckets: dict[Hashable, tuple[float, float]] = {}  # tokens, and when; oldest first

    def wait(self, asker: Hashable) -> int:
        """Take a token: 0. Where there is none: seconds until there is. None asks for free."""
        if asker is None:
            return 0
        with self._lock:
            now = self._clock()
            tokens, then = self._buckets.pop(asker, (LONG_AT_ONCE, now))
            tokens = min(LONG_AT_ONCE, tokens + (now - then) * LONG_PER_SECOND)
            left = tokens - 1 if tokens >= 1 else tokens
            self._buckets[asker] = left, now
            self._forget(now)
            return 0 if tokens >= 1 else math.ceil((1 - tokens) / LONG_PER_SECOND)

    def _forget(self, now: float) -> None:
        whole = LONG_AT_ONCE / LONG_PER_SECOND
        while now - (oldest := next(iter(self._buckets.items())))[1][1] > whole:
            del self._buckets[oldest[0]]
