"""How often something may be tried from one place: a bucket that fills up again.

A hall is one place: its students share an address, and some mistype. A right code spends nothing.
"""

import time
from collections.abc import Callable
from ipaddress import ip_address
from threading import Lock
from typing import Final

WRONG: Final = 60  # codes that may be wrong at once
AGAIN: Final = 0.5  # a second, from then on: 10,000 take five hours and a half
OPENED: Final = 10  # rooms at once
REOPEN: Final = 1 / 60  # a second
MOST_PLACES: Final = 10_000  # that are remembered
NETWORK: Final = 64  # bits of an IPv6 address that its owner was given


class Bucket:
    """For every place `most` tries, and `rate` more a second."""

    def __init__(
        self, most: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._rate, self._clock = most, rate, clock
        self._left: dict[str, tuple[float, float]] = {}  # tries, and when they were counted
        self._lock = Lock()

    def empty(self, place: str) -> bool:
        with self._lock:
            return self._now(place)[0] < 1

    def spend(self, place: str) -> None:
        with self._lock:
            left, now = self._now(place)
            self._left.pop(place, None)
            while len(self._left) >= MOST_PLACES:
                del self._left[next(iter(self._left))]  # which tried longest ago
            self._left[place] = (left - 1, now)

    def _now(self, place: str) -> tuple[float, float]:
        now = self._clock()
        left, then = self._left.get(place, (self._most, now))
        return min(self._most, left + (now - then) * self._rate), now


def place_of(address: str | None) -> str:
    """Where somebody is, as far as it is theirs: an IPv4 address, a network of IPv6."""
    try:
        found = ip_address(address or "")
    except ValueError:
        return ""
    if found.version == 4 or found.ipv4_mapped:
        return str(getattr(found, "ipv4_mapped", None) or found)
    return hex(int(found) >> (128 - NETWORK))
