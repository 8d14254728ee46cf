"""Attention's times on this machine: measured once at a time, for all who look.

However many readers press the button, one process measures, and everybody sees its progress
and its result.
"""

import logging
import threading
import time
from functools import cache

from core.blocks.attention_time import AttentionTimes, measure_apart

REST = 300.0  # seconds between two measurements: they take both processor and patience
LOG = logging.getLogger(__name__)
ONCE = threading.Lock()


class Stopwatch:
    """What was measured last, and how far the present measurement is."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._measuring = False
        self._ended = float("-inf")
        self.share = 0.0  # of the present measurement
        self.times: AttentionTimes | None = None
        self.failed = False

    @property
    def measuring(self) -> bool:
        return self._measuring

    @property
    def resting(self) -> float:
        """Seconds until it may be started again."""
        return max(0.0, self._ended + REST - time.monotonic())

    def start(self) -> None:
        """Measure in the background, unless that goes on already or was done just now."""
        with self._lock:
            if self._measuring or self.resting:
                return
            self._measuring, self.share, self.failed = True, 0.0, False
        threading.Thread(target=self._work, name="stopwatch", daemon=True).start()

    def _work(self) -> None:
        try:
            self.times = measure_apart(self._note)
        except Exception:  # no memory for the process, or it was killed: the page says so
            LOG.exception("attention could not be measured")
            self.failed = True
        finally:
            self._ended = time.monotonic()
            self._measuring = False

    def _note(self, share: float) -> None:
        self.share = share


@cache
def _only() -> Stopwatch:
    return Stopwatch()


def stopwatch() -> Stopwatch:
    """The process's one; `cache` alone would let two first callers make two."""
    with ONCE:
        return _only()
