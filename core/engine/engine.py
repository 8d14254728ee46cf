"""What an engine has in the app's process, wherever its models are: a cache, a runner of jobs.

Sessions put requests into a bounded line and get futures. Equal requests are computed once.
Models, their answers and what follows from them share one memory, counted in bytes (answers have a
fifth of it at most): what was used longest ago makes room.
"""

from collections.abc import Callable, Generator, Hashable, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from core.engine.allowance import Allowance
from core.engine.answering import Begin
from core.engine.cache import ByteCache
from core.engine.events import EVENTS, Asked, Found
from core.engine.jobs import Job, Jobs, Lane, Work
from core.engine.known_answers import KnownAnswers
from core.engine.requests import Request, bytes_of
from core.engine.waiting import Waiting
from core.errors import BusyError
from core.limits import LONG_AT_ONCE, LONG_PER_SECOND, QUEUE
from core.long_work import Progress
from core.outputs.families import LONG, QUESTIONS

MEMORY = 2 * 2**30  # bytes
Answer = TypeVar("Answer")
Value = TypeVar("Value")
Name = TypeVar("Name")


class Engine:
    """Answers requests with results that every session may share: values are read-only."""

    def __init__(
        self, answering: Begin, memory: int = MEMORY, known: KnownAnswers | None = None
    ) -> None:
        self._known = known
        self._allowance = Allowance()
        self._cache = ByteCache(memory)
        self._jobs = Jobs(self._cache)
        self._waiters = Waiting(self._cache.is_pending)
        self._inference = answering(self._cache, self._jobs, self._waiters)

    def submit(self, request: Request[Answer]) -> Future[Answer]:
        """The future result, which is computed in any case. BusyError when the line is full."""
        request = self.computed(request)
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

        What nobody else wants is withdrawn soon after: what waits in the line is not begun, what
        has begun ends at its next checkpoint. Its future raises WithdrawnError.
        """
        asked = {name: self.computed(request) for name, request in requests.items()}
        with self._waiters.held(request.key for request in asked.values()):
            yield {name: self._claimed(request) for name, request in asked.items()}

    def computed(self, request: Request[Answer]) -> Request[Answer]:
        """What is computed and kept for a request: here, all of its answer that came."""
        return request

    def _claimed(self, request: Request[Answer]) -> Future[Answer]:
        if request.question not in QUESTIONS:
            raise ValueError(f"{request.name} is no question of core.outputs.families")
        if (busy := self._overdrawn(request)) is not None:
            EVENTS.tell(Asked(request.name, Found.OVERDRAWN))
            return busy
        future, mine = self._cache.claim(request.key)
        if not mine:
            found = Found.CACHED if future.done() else Found.PENDING
        else:
            try:
                found = self._sought(request, future)
            except BaseException as error:  # else all who ask for it later would wait for nobody
                self._cache.abandon(request.key, error)
                self._waiters.answered(request.key)
                raise
        EVENTS.tell(Asked(request.name, found))
        return future

    def _sought(self, request: Request[Answer], future: Future[Answer]) -> Found:
        """What there is of the answer to a claimed request; a model is asked for the rest."""
        if (known := self._known and self._known.get(request)) is not None:
            self._cache.fulfil(request.key, known)
            return Found.STORED
        if self.waiting < QUEUE:
            EVENTS.time(request.name, future)
            self._inference.line.put(request)
            return Found.NOTHING
        error = BusyError(f"{QUEUE} requests are waiting. Try again in a few seconds.")
        self._cache.abandon(request.key, error)
        return Found.FULL

    def _overdrawn(self, request: Request[Answer]) -> Future[Answer] | None:
        """What a reader is told who asked for too much that takes long; nobody else hears of it."""
        if request.name not in LONG or self._costs_nothing(request):
            return None
        return self._refused(request.asker)

    def _refused(self, asker: Hashable) -> Future[Any] | None:
        if not (wait := self._allowance.wait(asker)):
            return None
        refused: Future[Any] = Future()
        refused.set_exception(
            BusyError(
                f"You have asked for more than {LONG_AT_ONCE} long computations; "
                f"{LONG_PER_SECOND:g} a second are added. Wait {wait} s, then change something."
            )
        )
        return refused

    def _costs_nothing(self, request: Request[Answer]) -> bool:
        asked = self._cache.holds(request.key) or self._cache.is_pending(request.key)
        return asked or (self._known is not None and self._known.has(request))

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
        asker: Hashable = None,
    ) -> Job[Value]:
        """Work that no model does, beside the inference thread; equal keys are computed once.

        patience: seconds without anybody looking at its progress, after which it ends.
        asker: whose allowance of what takes long it is; nobody's: None.
        """
        whole = ("job", key)
        known = self._cache.holds(whole) or self._cache.is_pending(whole)
        if not known and (busy := self._refused(asker)) is not None:
            return Job(busy)
        return self._jobs.ask(whole, work, lane, nbytes=nbytes, patience=patience)

    def download_progress(self, model_id: str) -> Progress | None:
        """Bytes so far and in all while a hub model comes, else None."""
        return self._inference.download(model_id)

    def cancel_download(self, model_id: str) -> None:
        """All who wait for the model are told so. Files that came whole are kept."""
        self._inference.cancel_download(model_id)

    def is_loaded(self, model_id: str) -> bool:
        return self._inference.is_open(model_id)

    def close(self) -> None:
        """End all threads when they have done what they are at; nothing may be asked any more."""
        self._jobs.close()  # what waits for a model is queued again
        self._inference.close()

    @property
    def waiting(self) -> int:
        """Requests that are not begun: in the line, or put aside until their model is there."""
        return len(self._inference)

    @property
    def nbytes(self) -> int:
        """Of what is kept here: models, their answers and what follows from them."""
        return self._cache.nbytes

    def place(self, request: Request) -> int | None:
        """1 for whose turn is next; None for what has its turns, or waits for its model."""
        before = self._inference.before(self.computed(request))
        return None if before is None else before + 1

    def hitch(self, request: Request) -> str | None:
        """What keeps a request from being answered, in a reader's words; None: nothing does."""
        return self._inference.hitch(self.computed(request))
