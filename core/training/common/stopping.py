"""Ctrl-C and a polite kill end the training after the step that runs, with a checkpoint."""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Whether somebody asked for the end."""

    requested = False

    def ask(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002 (signal's form)
        self.requested = True


@contextmanager
def stop_on_signals() -> Generator[Stop, None, None]:
    """Within, the signals only leave a note; afterwards they do what they did before."""
    stop = Stop()
    before = [signal.signal(number, stop.ask) for number in SIGNALS]
    try:
        yield stop
    finally:
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)
