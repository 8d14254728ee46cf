"""Batches drawn while the GPU computes, instead of in turn with it."""

from collections.abc import Callable, Iterator
from queue import Queue
from threading import Thread
from typing import Generic, TypeVar

BATCHES = 4  # that lie ready

Batch = TypeVar("Batch")


class Ahead(Generic[Batch]):
    """The batches of consecutive steps, from a thread of its own that draws the next ones.

    What the drawing itself keeps (a random generator) is up to BATCHES + 1 steps further than
    the training: a stopped training goes on with others than it would have read.
    """

    def __init__(self, draw: Callable[[int], Batch]) -> None:
        """draw: a step's batch; it is asked for steps in order, from the first that is wanted."""
        self._draw = draw
        self._batches: Iterator[Batch] | None = None

    def __call__(self, step: int = 0) -> Batch:
        """The next batch. An error of the drawing is raised here."""
        if self._batches is None:
            self._batches = self._ready(step)
        return next(self._batches)

    def _ready(self, first: int) -> Iterator[Batch]:
        ready: Queue[Batch | BaseException] = Queue(BATCHES)

        def fill() -> None:
            step = first
            try:
                while True:
                    ready.put(self._draw(step))
                    step += 1
            except BaseException as error:  # it belongs to who waits
                ready.put(error)

        Thread(target=fill, name="batches", daemon=True).start()
        while True:
            batch = ready.get()
            if isinstance(batch, BaseException):
                raise batch
            yield batch
