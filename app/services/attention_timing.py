"""Attention's times on this machine: measured once at a time, for all who look.

However many readers press the button, one process measures, and everybody sees its progress
and its result.
"""

import threading
import time
from concurrent.futures import Future
from functools import cache

from app.services import engine
from core.blocks.attention_time import AttentionTimes, measure_apart
from core.engine import Job, Lane
from core.long_work import Progress, Report

REST = 300.0  # seconds between two measurements: they take both processor and patience
ONCE = threading.Lock()


class Stopwatch:
    """What was measured last, and how far the present measurement is."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._job: Job[AttentionTimes] | None = None
        self._ended = float("-inf")
        self.measuring = False
        self.times: AttentionTimes | None = None
        self.failed = False

    @property
    def share(self) -> float:
        """Of the present measurement."""
        told = self._job and self._job.progress()
        return told.share if told else 0.0

    @property
    def resting(self) -> float:
        """Seconds until it may be started again."""
        return max(0.0, self._ended + REST - time.monotonic())

    def start(self) -> None:
        """Measure in the background, unless that goes on already or was done just now."""
        with self._lock:
            if self.measuring or self.resting:
                return
            self.measuring, self.failed = True, False
        anew = object()  # equal to none before
        self._job = engine.start(anew, _measured, Lane.MEASUREMENTS)
        self._job.future.add_done_callback(self._keep)

    def _keep(self, done: Future[AttentionTimes]) -> None:
        self.failed = done.exception() is not None  # no memory for the process, or it was killed
        if not self.failed:
            self.times = done.result()
        self._ended = time.monotonic()
        self.measuring = False


def _measured(report: Report) -> AttentionTimes:
    return measure_apart(lambda share: report(Progress("measuring", share, 1)))


@cache
def _only() -> Stopwatch:
    return Stopwatch()


def stopwatch() -> Stopwatch:
    """The process's one; `cache` alone would let two first callers make two."""
    with ONCE:
        return _only()
