"""The inference thread: opens models, answers requests, one at a time.

Traces of one model that wait together run as one call of `trace_many`; what takes long is done in
slices, between which short requests and others' long ones have their turn. Requests for a model
that is still being opened are put aside until it is there. What finds no room on the graphics card
is asked again of the same model on the processor.
"""

import logging
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import Any

from core.engine import turns
from core.engine.cache import ByteCache
from core.engine.events import EVENTS, Together
from core.engine.jobs import Jobs, Lane
from core.engine.line import Line
from core.engine.no_room import MOVED, PROCESSOR, card_is_full, has_no_room, told
from core.engine.requests import Request
from core.engine.slices import Sliced
from core.engine.waiting import Waiting
from core.errors import InputError, ModelUnavailableError
from core.long_work import Progress, Report, WithdrawnError, looking_up
from core.outputs.families import Model

LOG = logging.getLogger(__name__)
Loader = Callable[..., Any]


class Inference:
    """Fulfils, in `cache`, what is put into its line."""

    def __init__(self, loader: Loader, cache: ByteCache, jobs: Jobs, waiters: Waiting) -> None:
        self._load = loader
        self._cache, self._jobs, self._waiters = cache, jobs, waiters
        # bounded by who puts alone: this thread must never wait to put a request back
        self.line = Line()
        self._begun: dict[Sliced, Request] = {}  # in the order in which they began
        self._aside: defaultdict[Hashable, list[Request]] = defaultdict(list)  # by their model
        self._aside_lock = threading.Lock()
        self._moved: set[Request] = set()  # to the processor
        self._thread = threading.Thread(target=self._serve, name="inference", daemon=True)
        self._thread.start()

    def is_open(self, model_id: str) -> bool:
        return self._cache.holds(("model", model_id))

    def download(self, model_id: str) -> Progress | None:
        return self._jobs.progress(("model", model_id))

    def cancel_download(self, model_id: str) -> None:
        self._jobs.cancel(("model", model_id))

    def hitch(self, request: Request) -> str | None:
        return MOVED if request in self._moved else None

    def before(self, request: Request) -> int | None:
        """How many others' turn comes before its own; None where it has its turns."""
        begun = self._begun  # as it is now: the inference thread makes new ones
        work = next((one for one, asked in begun.items() if asked == request), None)
        return turns.before([*begun], work) if work else self.line.before(request)

    def __len__(self) -> int:
        """What is put aside and nobody waits for any more takes nobody's place."""
        with self._aside_lock:
            aside = [request.key for requests in self._aside.values() for request in requests]
        return len(self.line) + sum(not self._waiters.unwanted(key) for key in aside)

    def close(self) -> None:
        """When all is answered; nothing may be put any more."""
        self.line.close()
        self._thread.join()

    def _serve(self) -> None:
        while self._begun or self.line.wait():
            if short := self.line.take_short():
                for name, requests in self._groups(short):
                    with self._outliving_faults(requests):
                        self._answer(name, requests)
                continue
            begun = [*self._begun]
            if turns.may_begin(begun) and (request := self.line.take_long()) is not None:
                with self._outliving_faults([request]):
                    self._begin(request)
            elif begun:
                self._go_on(turns.next_of(begun))

    @contextmanager
    def _outliving_faults(self, requests: Sequence[Request]) -> Generator[None]:
        """Whatever goes wrong, who asked is told, and the thread goes on with the others."""
        try:
            yield
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]  # a message may quote a reader
            asked = requests[0].model_id, requests[0].name
            found = type(error).__name__, place.filename, place.lineno
            LOG.error("%s could not answer %s: %s at %s:%s", *asked, *found)
            self._fail([one for one in requests if self._cache.is_pending(one.key)], error)

    def _begin(self, request: Request) -> None:
        """A long request, in slices; what is short comes in between, and others' slices."""

        model = self._opened_for([request])
        if model is None:
            return

        def work(slices: Sliced) -> None:
            with self._outliving_faults([request]):
                self._answer_one(model, request, lambda: self._look(request, slices))

        self._begun = {**self._begun, Sliced(work, request.name): request}

    def _go_on(self, work: Sliced) -> None:
        work.go_on()
        if work.ended:
            self._begun = {one: asked for one, asked in self._begun.items() if one is not work}

    def _look(self, request: Request, slices: Sliced) -> None:
        """From within the answer to a long request."""
        self._end_unwanted(request)
        if len(self._begun) > 1 or len(self.line):
            slices.pause()

    def _answer(self, name: str, requests: Sequence[Request]) -> None:
        """Answer short requests that ask the same of one model."""
        model = self._opened_for(requests)
        if model is None:
            return
        requests = [request for request in requests if not self._withdrawn(request)]
        together = _batchable(model, requests) if name == "trace" else []
        done = self._answer_together(model, together) if len(together) > 1 else ()
        for request in requests:
            if request not in done:
                self._answer_one(model, request, partial(self._end_unwanted, request))

    def _opened_for(self, requests: Sequence[Request]) -> Model[Any, Any] | None:
        """Their model; None where they are put aside until it is there, or it can't be had."""
        model_id, key = requests[0].model_id, self._model_of(requests[0])
        device = PROCESSOR if requests[0] in self._moved else None
        opening = self._jobs.ask(
            key, lambda report: self._opened(model_id, device, report), Lane.MODELS
        ).future
        if self._put_aside(opening, key, requests):
            return None
        if error := opening.exception():
            self._fail(requests, error)
            return None
        return opening.result()

    def _end_unwanted(self, request: Request) -> None:
        if self._waiters.unwanted(request.key):
            raise WithdrawnError

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
            if has_no_room(error):  # not even for one of them; others may fit
                return ()
            LOG.exception("%s could not trace a batch", model.card.id)
            self._fail(requests, error)
            return requests
        EVENTS.tell(Together(len(requests)))
        for request, trace in zip(requests, traces, strict=True):
            self._fulfil(request, trace)
        return requests

    def _answer_one(
        self, model: Model[Any, Any], request: Request, look: Callable[[], None]
    ) -> None:
        """`look` is called at the checkpoints of its answer."""
        if self._withdrawn(request):
            return
        try:
            with looking_up(look):
                answer = request.answer(model)
        except WithdrawnError:
            if not self._withdrawn(request):  # somebody came back for it
                self.line.put(request)
        except InputError as error:
            self._fail([request], error)
        except BaseException as error:  # a bug: who asked hears of it, and the log
            LOG.exception("%s could not answer %s", request.model_id, request.name)
            self._fail([request], error)
        else:
            self._fulfil(request, answer)

    def _fulfil(self, request: Request, answer: Any) -> None:
        self._moved.discard(request)
        self._cache.fulfil(request.key, answer)
        self._waiters.answered(request.key)

    def _fail(self, requests: Sequence[Request], error: BaseException) -> None:
        """Who asked is told; but what lacked a card's room alone is first tried beside it."""
        for request in requests:
            if card_is_full(error) and request not in self._moved:
                self._moved.add(request)
                self.line.put(request)
                continue
            self._moved.discard(request)
            self._cache.abandon(request.key, told(error))
            self._waiters.answered(request.key)

    def _opened(self, model_id: str, device: str | None, report: Report) -> Model[Any, Any]:
        def tell(done: int, total: int) -> None:
            report(Progress("downloading", done, total))

        load = partial(self._load, device=device) if device else self._load
        began = time.perf_counter()
        try:
            model = load(model_id, progress=tell)
            LOG.info("%s is open after %.1f s", model_id, time.perf_counter() - began)
            return model
        except WithdrawnError:
            raise ModelUnavailableError(
                f"The download of {model_id} was cancelled. Files that came whole are kept: ask "
                "for the model again, and the others come."
            ) from None
        except (InputError, ModelUnavailableError):
            raise
        except Exception as error:
            if has_no_room(error):
                raise
            LOG.exception("%s could not be opened", model_id)
            raise ModelUnavailableError(
                f"{model_id} could not be opened here ({type(error).__name__}); the server's log "
                "has the details. Choose another model, or this one again in a minute."
            ) from error

    def _put_aside(self, opening: Future[Any], key: Hashable, requests: Sequence[Request]) -> bool:
        """Keep requests for a model that is being opened; they wait again when it is there."""
        with self._aside_lock:
            if opening.done():
                return False
            first = not self._aside[key]
            self._aside[key] += requests
        if first:
            opening.add_done_callback(lambda done: self._queue_again(key, done.exception()))
        return True

    def _queue_again(self, key: Hashable, error: BaseException | None) -> None:
        with self._aside_lock:
            requests = self._aside.pop(key, [])
        if error is not None:  # not asked again: that would open it again
            self._fail(requests, error)
            return
        for request in requests:
            self.line.put(request)

    def _model_of(self, request: Request) -> tuple[Hashable, ...]:
        """The cache's key for the model that answers it."""
        key = ("model", request.model_id)
        return (*key, PROCESSOR) if request in self._moved else key

    def _groups(self, requests: Sequence[Request]) -> Iterator[tuple[str, list[Request]]]:
        """Neighbours in the line that ask the same of the same model, in their order."""
        for (_, name), group in groupby(requests, key=lambda r: (self._model_of(r), r.name)):
            yield name, list(group)


def _batchable(model: Model[Any, Any], requests: Sequence[Request]) -> list[Request]:
    """Those whose arguments `trace_many` takes, as the family declares."""
    return [request for request in requests if request.arguments.keys() <= model.batched]


def _input_of(request: Request) -> Any:
    """What `trace_many` takes: the input alone, or the arguments by name where there are more."""
    inputs = {n: value for n, value in request.arguments.items() if n != "interventions"}
    return next(iter(inputs.values())) if len(inputs) == 1 else inputs
