"""The engine inside the app's own process: one inference thread owns the models.

Sessions put requests into a bounded queue and get futures. Equal requests are computed
once; traces of one model that wait together run as one call of `trace_many`.
"""

import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import groupby
from typing import Any

from core.engine.cache import ByteCache
from core.engine.requests import BusyError, Request

QUEUE_LIMIT = 256  # requests waiting; beyond that a reader is told to come back
BATCH_LIMIT = 16  # requests taken from the queue at a time
CACHE_BYTES = 512 * 2**20
MODEL_LIMIT = 6  # models held at a time; the least recently asked makes room
METHODS = ("trace", "fill_mask", "next_sentence", "classify", "card")

Loader = Callable[..., Any]


class EmbeddedEngine:
    """Answers requests with results that every session may share: values are read-only."""

    def __init__(self, loader: Loader | None = None, cache_bytes: int = CACHE_BYTES) -> None:
        from core.loading import load

        self._load = loader or load
        self._cache = ByteCache(cache_bytes)
        self._queue: queue.Queue[Request] = queue.Queue(QUEUE_LIMIT)
        self._models: OrderedDict[str, Any] = OrderedDict()
        self._downloads: dict[str, tuple[int, int]] = {}
        threading.Thread(target=self._serve, name="inference", daemon=True).start()

    def submit(self, request: Request) -> Future[Any]:
        """The future result. Raises BusyError when the queue is full."""
        if request.method not in METHODS:
            raise ValueError(f"method is one of {', '.join(METHODS)}, not {request.method}")
        future, mine = self._cache.claim(request.key)
        if mine:
            try:
                self._queue.put_nowait(request)
            except queue.Full:
                error = BusyError(
                    f"{QUEUE_LIMIT} requests are waiting. Try again in a few seconds."
                )
                self._cache.abandon(request.key, error)
        return future

    def derived(self, key: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
        """What follows from results by pure functions: computed in the caller's thread, cached."""
        return self._cache.get(("derived", *key), compute)

    def download_progress(self, model_id: str) -> tuple[int, int] | None:
        """Bytes so far and in all while a hub model comes, else None."""
        return self._downloads.get(model_id)

    def is_loaded(self, model_id: str) -> bool:
        return model_id in self._models

    @property
    def waiting(self) -> int:
        """Requests in the queue."""
        return self._queue.qsize()

    def _serve(self) -> None:
        while True:
            for model_id, method, requests in _groups(self._drain()):
                self._answer(model_id, method, requests)

    def _drain(self) -> list[Request]:
        requests = [self._queue.get()]
        while len(requests) < BATCH_LIMIT:
            try:
                requests.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return requests

    def _answer(self, model_id: str, method: str, requests: Sequence[Request]) -> None:
        """Answer requests for one model; a batch that fails is asked one by one."""
        try:
            model = self._model(model_id)
        except BaseException as error:
            for request in requests:
                self._cache.abandon(request.key, error)
            return
        batched = method == "trace" and len(requests) > 1
        if batched and not any("interventions" in request.arguments for request in requests):
            try:
                traces = model.trace_many([dict(request.arguments) for request in requests])
            except Exception:
                pass  # one of them is at fault: below it gets its own error, the others their trace
            else:
                for request, trace in zip(requests, traces, strict=True):
                    self._cache.fulfil(request.key, trace)
                return
        for request in requests:
            try:
                self._cache.fulfil(request.key, _call(model, request))
            except BaseException as error:
                self._cache.abandon(request.key, error)

    def _model(self, model_id: str) -> Any:
        if model_id not in self._models:
            try:
                self._models[model_id] = self._load(model_id, progress=self._reporter(model_id))
            finally:
                self._downloads.pop(model_id, None)
            if len(self._models) > MODEL_LIMIT:
                self._models.popitem(last=False)
        self._models.move_to_end(model_id)
        return self._models[model_id]

    def _reporter(self, model_id: str) -> Callable[[int, int], None]:
        def report(done: int, total: int) -> None:
            self._downloads[model_id] = (done, total)

        return report


def _groups(requests: Sequence[Request]) -> Iterator[tuple[str, str, list[Request]]]:
    """Neighbours in the queue that ask the same of the same model, in their order."""
    for (model_id, method), group in groupby(requests, key=lambda r: (r.model_id, r.method)):
        yield model_id, method, list(group)


def _call(model: Any, request: Request) -> Any:
    if request.method == "card":
        return model.card
    return getattr(model, request.method)(**request.arguments)
