"""The engine inside the app's own process: one inference thread, one cache, one runner of jobs.

Sessions put requests into a bounded queue and get futures. Equal requests are computed
once; traces of one model that wait together run as one call of `trace_many`. Requests for a
model that is still being opened are put aside until it is there. Models, their answers and what
follows from them share one memory, counted in bytes: what was used longest ago makes room.
"""

import logging
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import groupby
from typing import Any, TypeVar

from core.cancellation import WithdrawnError, cancellable
from core.engine.cache import ByteCache
from core.engine.jobs import Job, Jobs, Lane, Work
from core.engine.known_answers import KnownAnswers
from core.engine.requests import Request, bytes_of
from core.engine.waiting import Waiting
from core.errors import BusyError, InputError, ModelUnavailableError
from core.outputs.families import QUESTIONS, Model
from core.progress import Progress, Report

QUEUE_LIMIT = 256  # requests waiting; beyond that a reader is told to come back
BATCH_LIMIT = 16  # requests taken from the queue at a time
MEMORY = 2 * 2**30  # bytes
LOG = logging.getLogger(__name__)
Answer = TypeVar("Answer")
Value = TypeVar("Value")
Name = TypeVar("Name")
Loader = Callable[..., Any]


class EmbeddedEngine:
    """Answers requests with results that every session may share: values are read-only."""

    def __init__(
        self,
        loader: Loader | None = None,
        memory: int = MEMORY,
        known: KnownAnswers | None = None,
    ) -> None:
        from core.models.load import load

        self._load = loader or load
        self._known = known
        self._cache = ByteCache(memory)
        self._jobs = Jobs(self._cache)
        self._waiters = Waiting(self._cache.is_pending)
        # bounded by submit alone: the inference thread must never wait to put a request back
        self._queue: queue.Queue[Request | None] = queue.Queue()
        self._aside: defaultdict[str, list[Request]] = defaultdict(list)
        self._aside_lock = threading.Lock()
        self._thread = threading.Thread(target=self._serve, name="inference", daemon=True)
        self._thread.start()

    def submit(self, request: Request[Answer]) -> Future[Answer]:
        """The future result, which is computed in any case. BusyError when the queue is full."""
        self._waiters.always(request.key)
        future = self._claimed(request)
        if future.done():
            self._waiters.answered(request.key)
        return future

    @contextmanager
    def wanted(
        self, requests: Mapping[Name, Request[Answer]]
    ) -> Generator[dict[Name, Future[Answer]]]:
        """The futures of requests that are wanted within alone.

        What nobody else wants is withdrawn soon after: what waits in the queue is not begun, what
        has begun ends at its next checkpoint. Its future raises WithdrawnError.
        """
        with self._waiters.held(request.key for request in requests.values()):
            yield {name: self._claimed(request) for name, request in requests.items()}

    def _claimed(self, request: Request[Answer]) -> Future[Answer]:
        if request.question not in QUESTIONS:
            raise ValueError(f"{request.name} is no question of core.outputs.families")
        future, mine = self._cache.claim(request.key)
        if mine and (known := self._known and self._known.get(request)) is not None:
            self._cache.fulfil(request.key, known)
        elif mine and self.waiting < QUEUE_LIMIT:
            self._queue.put(request)
        elif mine:
            error = BusyError(f"{QUEUE_LIMIT} requests are waiting. Try again in a few seconds.")
            self._cache.abandon(request.key, error)
        return future

    def derived(
        self,
        key: tuple[Hashable, ...],
        compute: Callable[[], Value],
        nbytes: Callable[[Value], int] = bytes_of,
    ) -> Value:
        """What follows from results by pure functions: computed in the caller's thread, cached."""
        return self._cache.get(("derived", *key), compute, nbytes)

    def start(
        self,
        key: Hashable,
        work: Work[Value],
        lane: Lane,
        *,
        nbytes: Callable[[Value], int] = bytes_of,
        patience: float | None = None,
    ) -> Job[Value]:
        """Work that no model does, beside the inference thread; equal keys are computed once.

        patience: seconds without anybody looking at its progress, after which it ends.
        """
        return self._jobs.ask(("job", key), work, lane, nbytes=nbytes, patience=patience)

    def download_progress(self, model_id: str) -> Progress | None:
        """Bytes so far and in all while a hub model comes, else None."""
        return self._jobs.progress(("model", model_id))

    def cancel_download(self, model_id: str) -> None:
        """All who wait for the model are told so. What came is kept, and taken up again."""
        self._jobs.cancel(("model", model_id))

    def is_loaded(self, model_id: str) -> bool:
        return self._cache.holds(("model", model_id))

    def close(self) -> None:
        """End all threads when they have done what they are at; nothing may be asked any more."""
        self._jobs.close()  # what waits for a model is queued again
        self._queue.put(None)
        self._thread.join()

    @property
    def waiting(self) -> int:
        """Requests in the queue."""
        return self._queue.qsize()

    def _serve(self) -> None:
        while (first := self._queue.get()) is not None:
            for model_id, name, requests in _groups([first, *self._waiting_too()]):
                self._answer(model_id, name, requests)

    def _waiting_too(self) -> Iterator[Request]:
        """What else waits, so far as it fits into a batch."""
        for _ in range(BATCH_LIMIT - 1):
            try:
                request = self._queue.get_nowait()
            except queue.Empty:
                return
            if request is None:
                self._queue.put(None)
                return
            yield request

    def _answer(self, model_id: str, name: str, requests: Sequence[Request]) -> None:
        """Answer requests that ask the same of one model."""
        opening = self._jobs.ask(
            ("model", model_id), lambda report: self._opened(model_id, report), Lane.MODELS
        ).future
        if self._put_aside(opening, model_id, requests):
            return
        if error := opening.exception():
            self._fail(requests, error)
            return
        model = opening.result()
        requests = [request for request in requests if not self._withdrawn(request)]
        together = _batchable(model, requests) if name == "trace" else []
        done = self._answer_together(model, together) if len(together) > 1 else ()
        for request in requests:
            if request not in done:
                self._answer_one(model, request)

    def _withdrawn(self, request: Request) -> bool:
        """Whether nobody waits for it; then it is gone."""
        return self._waiters.withdraw(
            request.key, lambda: self._cache.abandon(request.key, WithdrawnError())
        )

    def _answer_together(
        self, model: Model[Any, Any], requests: Sequence[Request]
    ) -> Sequence[Request]:
        """Trace a batch; returns what was answered: nothing, if one of them can't be read."""
        inputs = [_input_of(request) for request in requests]
        interventions: Any = [request.arguments.get("interventions", ()) for request in requests]
        try:
            traces = model.trace_many(inputs, interventions)
        except InputError:  # each is asked alone for its own error
            return ()
        except BaseException as error:
            LOG.exception("%s could not trace a batch", model.card.id)
            self._fail(requests, error)
            return requests
        for request, trace in zip(requests, traces, strict=True):
            self._cache.fulfil(request.key, trace)
            self._waiters.answered(request.key)
        return requests

    def _answer_one(self, model: Model[Any, Any], request: Request) -> None:
        if self._withdrawn(request):
            return
        try:
            with cancellable(lambda: self._waiters.unwanted(request.key)):
                answer = request.answer(model)
            self._cache.fulfil(request.key, answer)
        except WithdrawnError:
            if not self._withdrawn(request):  # somebody came back for it
                self._queue.put(request)
            return
        except InputError as error:
            self._cache.abandon(request.key, error)
        except BaseException as error:  # a bug: who asked hears of it, and the log
            LOG.exception("%s could not answer %s", request.model_id, request.name)
            self._cache.abandon(request.key, error)
        self._waiters.answered(request.key)

    def _fail(self, requests: Sequence[Request], error: BaseException) -> None:
        for request in requests:
            self._cache.abandon(request.key, error)
            self._waiters.answered(request.key)

    def _opened(self, model_id: str, report: Report) -> Model[Any, Any]:
        def tell(done: int, total: int) -> None:
            report(Progress("downloading", done, total))

        try:
            return self._load(model_id, progress=tell)
        except WithdrawnError:
            raise ModelUnavailableError(
                f"The download of {model_id} was cancelled. What came is kept: ask for the model "
                "again, and it goes on from there."
            ) from None

    def _put_aside(self, opening: Future[Any], model_id: str, requests: Sequence[Request]) -> bool:
        """Keep requests for a model that is being opened; they queue again when it is there."""
        with self._aside_lock:
            if opening.done():
                return False
            first = not self._aside[model_id]
            self._aside[model_id] += requests
        if first:
            opening.add_done_callback(lambda done: self._queue_again(model_id, done.exception()))
        return True

    def _queue_again(self, model_id: str, error: BaseException | None) -> None:
        with self._aside_lock:
            requests = self._aside.pop(model_id, [])
        if error is not None:  # not asked again: that would open it again
            self._fail(requests, error)
            return
        for request in requests:
            self._queue.put(request)


def _groups(requests: Sequence[Request]) -> Iterator[tuple[str, str, list[Request]]]:
    """Neighbours in the queue that ask the same of the same model, in their order."""
    for (model_id, name), group in groupby(requests, key=lambda r: (r.model_id, r.name)):
        yield model_id, name, list(group)


def _batchable(model: Model[Any, Any], requests: Sequence[Request]) -> list[Request]:
    """Those whose arguments `trace_many` takes, as the family declares."""
    return [request for request in requests if request.arguments.keys() <= model.batched]


def _input_of(request: Request) -> Any:
    """What `trace_many` takes: the input alone, or the arguments by name where there are more."""
    inputs = {n: value for n, value in request.arguments.items() if n != "interventions"}
    return next(iter(inputs.values())) if len(inputs) == 1 else inputs
