"""The open models of an engine. Opening one happens beside the inference thread.

A download of half a gigabyte for one reader must not keep a class waiting whose model is open.
"""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any

MODEL_LIMIT = 6  # models held at a time; the least recently asked makes room

Loader = Callable[..., Any]


class ModelShelf:
    """Models by id, opened once each, one at a time."""

    def __init__(self, load: Loader) -> None:
        self._load = load
        self._lock = Lock()
        self._models: OrderedDict[str, Future[Any]] = OrderedDict()
        self._downloads: dict[str, tuple[int, int]] = {}
        self._opener = ThreadPoolExecutor(1, thread_name_prefix="opener")

    def ask(self, model_id: str) -> Future[Any]:
        """The future of a model; begins to open it if nobody has."""
        with self._lock:
            if model_id not in self._models:
                self._models[model_id] = self._opener.submit(self._open, model_id)
                while len(self._models) > MODEL_LIMIT:
                    self._models.popitem(last=False)
            self._models.move_to_end(model_id)
            return self._models[model_id]

    def forget(self, model_id: str) -> None:
        """A model that could not be opened is tried anew when next asked for."""
        with self._lock:
            self._models.pop(model_id, None)

    def holds(self, model_id: str) -> bool:
        """Whether a model is open."""
        future = self._models.get(model_id)
        return future is not None and future.done() and future.exception() is None

    def progress(self, model_id: str) -> tuple[int, int] | None:
        """Bytes so far and in all while a hub model comes, else None."""
        return self._downloads.get(model_id)

    def _open(self, model_id: str) -> Any:
        def report(done: int, total: int) -> None:
            self._downloads[model_id] = (done, total)

        try:
            return self._load(model_id, progress=report)
        finally:
            self._downloads.pop(model_id, None)
