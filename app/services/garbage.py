"""Garbage collection that stalls nobody: the young often, everything only while nobody clicks.

A full collection looks at every object that readers made, with the interpreter's lock held: for a
class of 150 that was 17 % of the time. What the start made is frozen, and never looked at; where
next to nothing was done since, there is next to nothing to find.
"""

import gc
import threading
import time
from collections.abc import Callable
from typing import Final

PAUSE: Final = 5.0  # seconds between two collections
IDLE: Final = 0.2  # of a core: less than this in a pause is idle
LONGEST: Final = 60.0  # seconds without idleness after which everything is looked at all the same
OLDEST: Final = 2  # generation
ENOUGH: Final = 0.3  # seconds of CPU time since everything was looked at, to do it again
YOUNG: Final = 20_000  # objects more than were freed, before the interpreter collects by itself
NEVER: Final = 1_000_000  # it does so with the oldest, which this is for


class Collector:
    """Decides, pause by pause, how much to look at."""

    def __init__(self, now: float, cpu: float) -> None:
        """`now` and `cpu`: seconds by the clock, and of the process's CPU time."""
        self._now, self._cpu = now, cpu
        self._whole, self._spent = now, cpu  # when everything was looked at

    def collect(self, now: float, cpu: float) -> None:
        """After a pause."""
        idle = cpu - self._cpu < IDLE * (now - self._now)
        late = now - self._whole > LONGEST
        whole = (idle or late) and cpu - self._spent > ENOUGH
        if whole:
            self._whole, self._spent = now, cpu
        gc.collect(OLDEST if whole else OLDEST - 1)
        self._now, self._cpu = now, cpu


def keep_away(warm_up: Callable[[], object]) -> None:
    """Collect in the background from now on, after `warm_up`; Streamlit's own is off."""

    def work() -> None:
        warm_up()
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, 20, NEVER)
        collector = Collector(time.monotonic(), time.process_time())
        while True:
            time.sleep(PAUSE)
            collector.collect(time.monotonic(), time.process_time())

    threading.Thread(target=work, name="warm-up", daemon=True).start()
