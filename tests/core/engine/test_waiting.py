"""What nobody waits for any more is not begun, or ends half-way; whoever still wants it gets it."""

import threading
from concurrent.futures import Future
from contextlib import ExitStack
from typing import Any

import pytest

import core
from core.catalog import CATALOG
from core.engine import EmbeddedEngine, Request, waiting
from core.long_work import WithdrawnError, checkpoint, looking_up
from core.outputs.families import TextModel

SOON = 20  # seconds: far more than any of these takes


class Stepwise:
    """Works in two steps, with a checkpoint between them; waits there while `gate` is closed."""

    nbytes = 1000
    batched: frozenset[str] = frozenset()
    card: core.ModelCard = CATALOG[0]

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.busy, self.gate = threading.Event(), threading.Event()

    def measure(self, *_: object) -> None:
        raise NotImplementedError

    def trace_many(self, *_: object) -> None:
        raise NotImplementedError

    def trace(self, text: str) -> str:
        self.begun.append(text)
        self.busy.set()
        assert self.gate.wait(SOON)
        checkpoint()
        self.ended.append(text)
        return text.upper()


def trace_of(text: str) -> Request[Any]:
    return Request.of(TextModel.trace, "fake", text)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Stepwise:
    monkeypatch.setattr(waiting, "GRACE", -1.0)
    return Stepwise()


@pytest.fixture
def engine(model: Stepwise) -> EmbeddedEngine:
    return EmbeddedEngine(loader=lambda *_, **__: model)


def held_up(engine: EmbeddedEngine, model: Stepwise) -> Future[Any]:
    first = engine.submit(trace_of("first"))
    assert model.busy.wait(SOON)
    return first


def test_what_was_left_is_not_begun_and_can_be_asked_again(engine: EmbeddedEngine, model: Stepwise):
    first = held_up(engine, model)
    with engine.wanted({"it": trace_of("a")}) as futures:
        pass
    model.gate.set()
    assert isinstance(futures["it"].exception(SOON), WithdrawnError)
    assert first.result(SOON) == "FIRST"
    assert model.begun == ["first"]
    assert engine.submit(trace_of("a")).result(SOON) == "A"


def test_what_has_begun_ends_at_its_checkpoint(engine: EmbeddedEngine, model: Stepwise):
    with engine.wanted({"it": trace_of("a")}) as futures:
        assert model.busy.wait(SOON)
    model.gate.set()
    assert isinstance(futures["it"].exception(SOON), WithdrawnError)
    assert (model.begun, model.ended) == (["a"], [])


def test_somebody_else_who_waits_gets_it(engine: EmbeddedEngine, model: Stepwise):
    held_up(engine, model)
    with engine.wanted({"it": trace_of("a")}) as futures:
        with engine.wanted({"mine": trace_of("a")}):
            pass
        model.gate.set()
        assert futures["it"].result(SOON) == "A"


@pytest.mark.parametrize("before", [True, False])
def test_who_asks_without_waiting_gets_it_in_any_case(
    engine: EmbeddedEngine, model: Stepwise, *, before: bool
):
    held_up(engine, model)
    asked = engine.submit(trace_of("a")) if before else None
    with engine.wanted({"it": trace_of("a")}) as futures:
        if asked is None:
            asked = engine.submit(trace_of("a"))
    model.gate.set()
    assert asked.result(SOON) == futures["it"].result(SOON) == "A"


def test_who_comes_back_in_time_loses_nothing(
    engine: EmbeddedEngine, model: Stepwise, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(waiting, "GRACE", 1000.0)
    with engine.wanted({"it": trace_of("a")}):
        assert model.busy.wait(SOON)
    with engine.wanted({"it": trace_of("a")}) as futures:
        model.gate.set()
        assert futures["it"].result(SOON) == "A"
    assert model.begun == ["a"]


def test_who_comes_back_while_it_ends_has_it_begun_again(
    engine: EmbeddedEngine, model: Stepwise, monkeypatch: pytest.MonkeyPatch
):
    """Between a checkpoint that ends the work and the drop, somebody asks for it."""
    back, came = ExitStack(), threading.Event()
    futures: dict[str, Future[Any]] = {}
    withdrawn = engine._inference._withdrawn

    def late(request: Request[Any]) -> bool:
        if not came.is_set():
            futures.update(back.enter_context(engine.wanted({"it": request})))
            came.set()
        return withdrawn(request)

    with engine.wanted({"it": trace_of("a")}):
        assert model.busy.wait(SOON)
    monkeypatch.setattr(engine._inference, "_withdrawn", late)
    model.gate.set()
    with back:
        assert came.wait(SOON)
        assert futures["it"].result(SOON) == "A"
    assert (model.begun, model.ended) == (["a", "a"], ["a"])


def test_answers_that_were_left_leave_nothing_behind(engine: EmbeddedEngine, model: Stepwise):
    model.gate.set()
    with engine.wanted({"it": trace_of("a")}) as futures:
        assert futures["it"].result(SOON) == "A"
    assert engine.submit(trace_of("b")).result(SOON) == "B"
    assert engine.submit(trace_of("c")).result(SOON) == "C"  # so "b" is wholly done with
    kept = engine._waiters
    assert (kept._here, kept._left) == ({}, {})
    assert trace_of("b").key not in kept._always


def test_outside_of_an_engine_nothing_happens_at_a_checkpoint():
    def end() -> None:
        raise WithdrawnError

    looks: list[int] = []
    checkpoint()
    with looking_up(lambda: looks.append(1)):
        checkpoint()
    with looking_up(end), pytest.raises(WithdrawnError):
        checkpoint()
    checkpoint()
    assert looks == [1]
