"""Long work in slices: in a thread of its own, and never at the same time as who gives them."""

import time
from collections.abc import Callable
from threading import Semaphore, Thread


class Sliced:
    """Work that goes on when it is given a slice, and gives back at the end of it."""

    def __init__(self, work: Callable[["Sliced"], object], name: str) -> None:
        """`work` calls `pause` now and then."""
        self._work = work
        self._go_on, self._rests = Semaphore(0), Semaphore(0)
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self.ended = False
        self.taken = 0.0  # seconds of its slices
        self._thread.start()

    def go_on(self) -> None:
        """A slice; returns at its end. The work must not have ended."""
        began = time.perf_counter()
        self._go_on.release()
        self._rests.acquire()
        self.taken += time.perf_counter() - began

    def pause(self) -> None:
        """From within the work: the slice ends here, and the next begins."""
        self._rests.release()
        self._go_on.acquire()

    def _run(self) -> None:
        self._go_on.acquire()
        try:
            self._work(self)
        finally:
            self.ended = True
            self._rests.release()
