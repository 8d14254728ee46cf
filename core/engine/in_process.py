"""The engine inside the app's own process: one inference thread owns the models.

Sessions put requests into a bounded queue and get futures. Equal requests are computed
once; traces of one model that wait together run as one call of `trace_many`. Requests for a
model that is still being opened are put aside until it is there.
"""

import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import groupby
from typing import Any

from core.engine.cache import ByteCache
from core.engine.model_pool import Loader, ModelShelf
from core.engine.requests import BusyError, Request

QUEUE_LIMIT = 256  # requests waiting; beyond that a reader is told to come back
BATCH_LIMIT = 16  # requests taken from the queue at a time
CACHE_BYTES = 512 * 2**20
METHODS = (
    *("trace", "card", "head_projections", "layer_logits", "position_table", "permutation_test"),
    # encoders
    *("fill_mask", "next_sentence", "next_sentence_worked"),
    *("profile", "trace_edited", "embedding_parts"),
    # decoders
    *("next_token", "next_step", "generate", "trace_ids", "score_continuation", "ids_of"),
    *("fine_tuning_inputs", "inventory", "vocabulary"),
    # translators
    *("translate", "decode", "machine", "erasure"),
    # pictures
    *("weight_updates", "cheap_probabilities"),
    *("classify", "reconstruct", "reconstruct_hidden", "error_by_ratio", "detect", "slot_boxes"),
    *("patch_embedding", "relative_biases"),
    "evidence",
    *("seen", "measure", "probabilities", "patch_logits"),
    "randomised_evidence",
)


class EmbeddedEngine:
    """Answers requests with results that every session may share: values are read-only."""

    def __init__(self, loader: Loader | None = None, cache_bytes: int = CACHE_BYTES) -> None:
        from core.models.load import load

        self._shelf = ModelShelf(loader or load)
        self._cache = ByteCache(cache_bytes)
        # bounded by submit alone: the inference thread must never wait to put a request back
        self._queue: queue.Queue[Request] = queue.Queue()
        self._aside: defaultdict[str, list[Request]] = defaultdict(list)
        self._aside_lock = threading.Lock()
        threading.Thread(target=self._serve, name="inference", daemon=True).start()

    def submit(self, request: Request) -> Future[Any]:
        """The future result. Raises BusyError when the queue is full."""
        if request.method not in METHODS:
            raise ValueError(f"method is one of {', '.join(METHODS)}, not {request.method}")
        future, mine = self._cache.claim(request.key)
        if mine and self.waiting < QUEUE_LIMIT:
            self._queue.put(request)
        elif mine:
            error = BusyError(f"{QUEUE_LIMIT} requests are waiting. Try again in a few seconds.")
            self._cache.abandon(request.key, error)
        return future

    def derived(self, key: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
        """What follows from results by pure functions: computed in the caller's thread, cached."""
        return self._cache.get(("derived", *key), compute)

    def download_progress(self, model_id: str) -> tuple[int, int] | None:
        """Bytes so far and in all while a hub model comes, else None."""
        return self._shelf.progress(model_id)

    def is_loaded(self, model_id: str) -> bool:
        return self._shelf.holds(model_id)

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
        opening = self._shelf.ask(model_id)
        if self._put_aside(opening, model_id, requests):
            return
        if error := opening.exception():
            self._shelf.forget(model_id)
            for request in requests:
                self._cache.abandon(request.key, error)
            return
        model = opening.result()
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

    def _put_aside(self, opening: Future[Any], model_id: str, requests: Sequence[Request]) -> bool:
        """Keep requests for a model that is being opened; they queue again when it is there."""
        with self._aside_lock:
            if opening.done():
                return False
            first = not self._aside[model_id]
            self._aside[model_id] += requests
        if first:
            opening.add_done_callback(lambda _: self._queue_again(model_id))
        return True

    def _queue_again(self, model_id: str) -> None:
        with self._aside_lock:
            requests = self._aside.pop(model_id, [])
        for request in requests:
            self._queue.put(request)


def _groups(requests: Sequence[Request]) -> Iterator[tuple[str, str, list[Request]]]:
    """Neighbours in the queue that ask the same of the same model, in their order."""
    for (model_id, method), group in groupby(requests, key=lambda r: (r.model_id, r.method)):
        yield model_id, method, list(group)


def _call(model: Any, request: Request) -> Any:
    if request.method == "card":
        return model.card
    return getattr(model, request.method)(**request.arguments)
