"""The app's only door to the core: submit requests, get values.

Nothing here imports torch: the engine does so in its own thread, once, while the first
page is already on the screen.
"""

import threading
import time
from collections.abc import Callable, Generator, Hashable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary, ref

from streamlit.runtime.scriptrunner import get_script_run_ctx

from app.services import garbage, models
from app.services.settings import memory, ray
from core.catalog import ModelCard, hub
from core.engine import MEMORY, EmbeddedEngine, Engine, Job, KnownAnswers, Lane, Request
from core.engine.jobs import Work
from core.engine.requests import MAPS_ALONE, bytes_of
from core.errors import InputError
from core.long_work import Progress
from core.models.load import load
from core.outputs.families import LONG, Encoder, Model, TextModel, Translator, opened_card
from core.trace import Trace

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")
Value = TypeVar("Value")
FIRST_SIGHTS: Final = Path(__file__).parents[2] / "assets" / "first_sights"  # see its test
ONCE = threading.Lock()
_REQUESTS: Final[WeakKeyDictionary[Future[Any], Request[Any]]] = WeakKeyDictionary()
_PARTS: Final[WeakKeyDictionary[Trace, dict[Request[Any], Any]]] = WeakKeyDictionary()
_RUN: Final = threading.local()
HEAD_START = 1.5  # seconds in which the first reader's browser has the machine to itself


@cache
def _only_engine() -> Engine:
    room, known = memory() or MEMORY, KnownAnswers(FIRST_SIGHTS)
    if (address := ray()) is None:
        return EmbeddedEngine(_opened, room, known)
    from core.engine.remote import RayEngine
    from core.engine.sealed import secret

    return RayEngine(address, secret(), _refuse_unoffered, room, known)


def _opened(model_id: str, *, progress: hub.Progress, device: str | None = None) -> Model[Any, Any]:
    _refuse_unoffered(model_id)
    return load(model_id, device=device, progress=progress)


def _refuse_unoffered(model_id: str) -> None:
    """No link opens a directory or brings a model."""
    if models.card_of(model_id) is None:
        raise InputError(f"There is no model “{model_id}” here.")


def engine() -> Engine:
    """The process's one engine; `cache` alone would let two first callers make two."""
    with ONCE:
        return _only_engine()


class TextTrace:
    """A trace and the request that it answers, by which all that follows from it is cached.

    The engine alone keeps the trace: what a page draws it from lives as long as a reader's tab, and
    a class with long texts would hold gigabytes. Where it has made room, it is asked for again.
    """

    def __init__(self, request: Request[Trace], trace: Trace) -> None:
        self.request = request
        self._trace = ref(trace)

    @property
    def trace(self) -> Trace:
        """The trace. Raises what its future raises, if it must be asked for again."""
        return self._trace() or self._again()

    def _again(self) -> Trace:
        trace = submit(self.request).result()
        self._trace = ref(trace)
        return trace


@contextmanager
def of_a_run() -> Generator[None]:
    """What is asked within and takes long is given up when this is left: nobody waits any more.

    A run of the page's script: whoever goes on, clicks again or closes the tab ends it.
    """
    with ExitStack() as waits:
        _RUN.waits = waits
        try:
            yield
        finally:
            _RUN.waits = None


def ask(
    question: Callable[Concatenate[Any, Parameters], Answer],
    model_id: str,
    /,
    *args: Parameters.args,
    **kwargs: Parameters.kwargs,
) -> Future[Answer]:
    """What a model answers: `ask(Encoder.fill_mask, "bert-mini", "It is [MASK].")`.

    The future raises InputError and ModelUnavailableError for what the reader can mend.
    """
    return submit(Request.of(question, model_id, *args, **kwargs))


def submit(request: Request[Answer]) -> Future[Answer]:
    """The same for a request that is needed again: what follows from it is kept under it."""
    asked, waits = _readers(request), cast("ExitStack | None", getattr(_RUN, "waits", None))
    if waits is None or request.name not in LONG:
        future = engine().submit(asked)
    else:
        future = waits.enter_context(engine().wanted({request.name: asked}))[request.name]
    _REQUESTS[future] = request
    return mapped(future, partial(_needed, request)) if request.without else future


def _needed(request: Request[Answer], answer: Answer) -> Answer:
    """What was asked for of it; one object as long as the engine keeps the whole."""
    if not isinstance(answer, Trace):
        return answer
    return _PARTS.setdefault(answer, {}).setdefault(request, request.needed(answer))


@contextmanager
def wanted(requests: Mapping[str, Request[Answer]]) -> Generator[dict[str, Future[Answer]]]:
    """The same for requests that are given up when the `with` is left: see `Engine`."""
    asked = {name: _readers(request) for name, request in requests.items()}
    with engine().wanted(asked) as futures:
        yield futures


def place(future: Future[Any]) -> int | None:
    """Where its request stands in the line: 1 is next. None where it stands in none."""
    request = _REQUESTS.get(future)
    return request and engine().place(request)


def hitch(future: Future[Any]) -> str | None:
    """What keeps its request from being answered, in a reader's words; None: nothing does."""
    request = _REQUESTS.get(future)
    return request and engine().hitch(request)


def _readers(request: Request[Answer]) -> Request[Answer]:
    """Asked by the reader whose page this thread draws: readers' long questions take turns."""
    run = get_script_run_ctx(suppress_warning=True)
    return replace(request, asker=run and run.session_id)


def is_loaded(model_id: str) -> bool:
    return engine().is_loaded(model_id)


def mapped(future: Future[Answer], function: Callable[[Answer], Value]) -> Future[Value]:
    """The future of what follows from an answer; errors go on."""
    result: Future[Value] = Future()

    def hand_on(done: Future[Answer]) -> None:
        try:
            result.set_result(function(done.result()))
        except Exception as error:
            result.set_exception(error)

    future.add_done_callback(hand_on)
    if (request := _REQUESTS.get(future)) is not None:
        _REQUESTS[result] = request
    return result


def derived(
    key: tuple[Hashable, ...],
    compute: Callable[[], Value],
    nbytes: Callable[[Value], int] = bytes_of,
) -> Value:
    """What follows from results by pure functions: computed once for all who look."""
    return engine().derived(key, compute, nbytes)


def start(
    key: Hashable,
    work: Work[Value],
    lane: Lane,
    *,
    nbytes: Callable[[Value], int] = bytes_of,
    patience: float | None = None,
) -> Job[Value]:
    """Work in the background, once for all who ask: see `Engine.start`."""
    run = get_script_run_ctx(suppress_warning=True)
    asker = run and run.session_id
    return engine().start(key, work, lane, nbytes=nbytes, patience=patience, asker=asker)


def request_trace(
    model_id: str, text: str, *, pair: str | None = None, target: str | None = None
) -> tuple[Request[Trace], Future[Trace]]:
    """One forward pass, traced. The future raises InputError or ModelUnavailableError."""
    request = _forward(model_id, text, pair, target)
    return request, submit(request)


def request_maps(
    model_id: str, text: str, *, pair: str | None = None, target: str | None = None
) -> tuple[Request[Trace], Future[Trace]]:
    """The same for who reads no hidden state and no logit: they stay where they were computed."""
    request = replace(_forward(model_id, text, pair, target), without=MAPS_ALONE)
    return request, submit(request)


def _forward(model_id: str, text: str, pair: str | None, target: str | None) -> Request[Trace]:
    if target is not None:
        return Request.of(Translator.trace, model_id, text, target=target)
    if pair is not None:
        return Request.of(Encoder.trace, model_id, text, pair=pair)
    return Request.of(TextModel.trace, model_id, text)


def loaded_card(model_id: str) -> Future[ModelCard]:
    """The card with the counts and classes that only the opened model tells.

    Those of the text models on board are complete before: no page waits for them.
    """
    card = models.card_of(model_id)
    if card is None or not models.is_complete(card):
        return ask(opened_card, model_id)
    known: Future[ModelCard] = Future()
    known.set_result(card)
    return known


def download_progress(model_id: str) -> Progress | None:
    """Bytes so far and in all while a hub model comes."""
    return engine().download_progress(model_id)


def cancel_download(model_id: str) -> None:
    """Whoever waits for the model is told that it was cancelled."""
    engine().cancel_download(model_id)


def warm_up(text: str) -> None:
    """Trace a text in the background, then keep garbage out of the reruns' way.

    Only the first call does something.
    """
    with ONCE:
        _only_warm_up(text)


@cache
def _only_warm_up(text: str) -> None:
    def work() -> None:
        time.sleep(HEAD_START)
        request_maps(models.DEFAULT, text)[1].exception()

    garbage.keep_away(work)
