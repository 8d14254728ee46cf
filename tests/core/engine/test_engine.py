"""The engine: equal requests once, errors to those at fault, bounds that hold."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.catalog import CATALOG
from core.engine import ByteCache, EmbeddedEngine, KnownAnswers, Lane, Request
from core.engine import engine as engine_module
from core.engine import waiting as waiting_module
from core.engine.jobs import WORKERS
from core.errors import BusyError
from core.interventions import SilenceHead
from core.long_work import Progress, WithdrawnError
from core.outputs.families import Encoder, TextModel, opened_card
from core.targets import LogitTarget

SOON = 20  # seconds: far more than any of these takes


@dataclass(frozen=True)
class Answer:
    """A result of known size."""

    text: str
    nbytes: int = 10_000


@dataclass
class FakeModel:
    """Counts what is asked of it; "bad" texts fail, and it waits while `gate` is closed."""

    gate: threading.Event = field(default_factory=threading.Event)
    busy: threading.Event = field(default_factory=threading.Event)
    asked: list[str] = field(default_factory=list)
    batches: list[list[str]] = field(default_factory=list)
    batched: frozenset[str] = frozenset({"text", "pair", "interventions"})
    nbytes: int = 1000
    card: core.ModelCard = CATALOG[0]

    def measure(self, text: str, variants: object, quantity: object) -> None:
        raise NotImplementedError

    def trace(self, text: str, **_: object) -> Answer:
        self.busy.set()
        self.gate.wait(SOON)
        self.asked.append(text)
        if text.startswith("bad"):
            raise core.InputError(f"“{text}” can't be read")
        return Answer(text)

    def trace_many(self, texts: list[str], _: object) -> tuple[Answer, ...]:
        self.gate.wait(SOON)
        self.batches.append(texts)
        if any(text.startswith("bad") for text in texts):
            raise core.InputError("one of them")
        return tuple(Answer(text) for text in texts)


def trace_of(text: str, model_id: str = "fake", **arguments: Any) -> Request:
    return Request.of(TextModel.trace, model_id, text, **arguments)


def fetch(_model: object) -> None:
    """No protocol has it."""


@pytest.fixture
def model() -> FakeModel:
    made = FakeModel()
    made.gate.set()
    return made


@pytest.fixture
def engine(model: FakeModel) -> EmbeddedEngine:
    return EmbeddedEngine(loader=lambda *_, **__: model)


def held_up(engine: EmbeddedEngine, model: FakeModel) -> Future[Any]:
    """Close the gate and send a request ahead, so that those after it wait together."""
    model.gate.clear()
    first = engine.submit(trace_of("first"))
    assert model.busy.wait(SOON)
    return first


def test_equal_requests_of_many_threads_are_computed_once(engine: EmbeddedEngine, model: FakeModel):
    model.gate.clear()
    answers: list[Any] = []
    start = threading.Barrier(20)

    def ask() -> None:
        start.wait()
        answers.append(engine.submit(trace_of("the cat")).result(SOON))

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    model.gate.set()
    for thread in threads:
        thread.join()
    assert len(answers) == 20
    assert len({id(answer) for answer in answers}) == 1
    assert model.asked == ["the cat"]


def test_a_result_is_kept_and_arguments_tell_results_apart(
    engine: EmbeddedEngine, model: FakeModel
):
    first = engine.submit(trace_of("a")).result(SOON)
    assert engine.submit(trace_of("a")).result(SOON) is first
    silenced = trace_of("a", interventions=(SilenceHead(0, 1),))
    assert engine.submit(silenced).result(SOON) is not first
    assert len(model.asked) == 2


def test_those_that_wait_together_run_as_one_batch(engine: EmbeddedEngine, model: FakeModel):
    first = held_up(engine, model)
    futures = [engine.submit(trace_of(text)) for text in "abc"]
    model.gate.set()
    assert [future.result(SOON).text for future in futures] == ["a", "b", "c"]
    assert first.result(SOON).text == "first"
    assert model.batches == [["a", "b", "c"]]


def test_a_failing_one_in_a_batch_gets_its_own_error(engine: EmbeddedEngine, model: FakeModel):
    held_up(engine, model)
    texts = ["a", "bad one", "b", "bad two"]
    futures = [engine.submit(trace_of(text)) for text in texts]
    model.gate.set()
    wait(futures, SOON)
    assert [futures[i].result().text for i in (0, 2)] == ["a", "b"]
    for index in (1, 3):
        with pytest.raises(core.InputError, match=f"“{texts[index]}” can't be read"):
            futures[index].result()


@pytest.mark.parametrize("error", [TypeError("a bug"), RuntimeError("no memory")])
def test_a_batch_that_fails_is_not_asked_again_one_by_one(
    engine: EmbeddedEngine,
    model: FakeModel,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
):
    def fail(*_: object) -> None:
        model.gate.wait(SOON)
        raise error

    held_up(engine, model)
    monkeypatch.setattr(model, "trace_many", fail, raising=False)
    futures = [engine.submit(trace_of(text)) for text in "ab"]
    model.gate.set()
    for future in futures:
        assert future.exception(SOON) is error
    assert model.asked == ["first"]
    assert "could not trace a batch" in caplog.text


def test_what_the_family_does_not_batch_runs_alone_beside_the_batch(
    engine: EmbeddedEngine, model: FakeModel
):
    held_up(engine, model)
    alone = engine.submit(trace_of("alone", blocks=True))
    futures = [engine.submit(trace_of(text)) for text in "ab"]
    model.gate.set()
    assert [future.result(SOON).text for future in (*futures, alone)] == ["a", "b", "alone"]
    assert model.batches == [["a", "b"]]
    assert model.asked == ["first", "alone"]


def test_an_error_is_given_and_not_kept(engine: EmbeddedEngine, model: FakeModel):
    for _ in range(2):
        with pytest.raises(core.InputError, match="can't be read"):
            engine.submit(trace_of("bad")).result(SOON)
    assert model.asked == ["bad", "bad"]


def test_the_queue_is_bounded(model: FakeModel, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(engine_module, "QUEUE", 3)
    small = EmbeddedEngine(loader=lambda *_, **__: model)
    held_up(small, model)
    waiting = [small.submit(trace_of(text)) for text in "abc"]
    refused = small.submit(trace_of("d"))
    with pytest.raises(BusyError, match=r"3 requests are waiting\. Try again in a few seconds"):
        refused.result(SOON)
    model.gate.set()
    wait(waiting, SOON)
    assert small.submit(trace_of("d")).result(SOON).text == "d"


def test_what_waits_for_its_model_counts_in_the_queue(
    model: FakeModel, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(waiting_module, "GRACE", -1.0)
    gate = threading.Event()

    def load(model_id: str, **_: object) -> FakeModel:
        if model_id == "far":
            gate.wait(SOON)
        return model

    small = EmbeddedEngine(loader=load)
    small.submit(trace_of("near is open", "near")).result(SOON)
    with small.wanted({"left": trace_of("left", "far")}) as left:
        pass
    kept = [small.submit(trace_of(text, "far")) for text in "abc"]
    small.submit(trace_of("near", "near")).result(SOON)  # the others are put aside by then
    assert small.waiting == 3
    monkeypatch.setattr(engine_module, "QUEUE", 3)
    with pytest.raises(BusyError, match="3 requests are waiting"):
        small.submit(trace_of("d", "far")).result(SOON)
    gate.set()
    assert [one.result(SOON).text for one in kept] == ["a", "b", "c"]
    assert isinstance(left["left"].exception(SOON), WithdrawnError)
    assert small.waiting == 0
    assert small.submit(trace_of("d", "far")).result(SOON).text == "d"
    small.close()


def test_results_leave_in_the_order_of_their_last_use():
    model = FakeModel()
    model.gate.set()
    engine = EmbeddedEngine(loader=lambda *_, **__: model, memory=5 * 30_000)
    for text in ("a", "b", "c", "a", "d"):  # "d" pushes out "b": "a" was asked again
        engine.submit(trace_of(text)).result(SOON)
    for text in ("a", "c", "d"):
        engine.submit(trace_of(text)).result(SOON)
    assert model.asked == ["a", "b", "c", "d"]
    engine.submit(trace_of("b")).result(SOON)
    assert model.asked[-1] == "b"


def test_cache_counts_its_bytes():
    cache = ByteCache(4 * 25_000)
    for text in "abc":
        cache.get(text, lambda text=text: Answer(text))
    assert cache.nbytes == 20_000
    large = cache.get("large", lambda: Answer("large", 99_000))
    assert (large.text, cache.nbytes) == ("large", 99_000)  # one result is always kept
    cache.get("d", lambda: Answer("d"))
    assert cache.nbytes == 10_000


def test_cache_computes_once_for_many_threads():
    cache = ByteCache(10**6)
    gate, computed = threading.Event(), []

    def compute() -> Answer:
        gate.wait(SOON)
        computed.append(1)
        return Answer("x")

    threads = [threading.Thread(target=cache.get, args=("x", compute)) for _ in range(10)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert computed == [1]


def test_what_follows_from_results_is_cached(engine: EmbeddedEngine):
    computed: list[int] = []
    for _ in range(3):
        assert engine.derived(("rollout", "a"), lambda: computed.append(1) or "map") == "map"
    assert computed == [1]
    with pytest.raises(ZeroDivisionError):
        engine.derived(("wrong",), lambda: 1 // 0)


def opener(loaded: list[str], nbytes: int) -> Callable[..., FakeModel]:
    """A loader of models of a size, which notes what it opened."""

    def load(model_id: str, **_: object) -> FakeModel:
        loaded.append(model_id)
        model = FakeModel(nbytes=nbytes)
        model.gate.set()
        return model

    return load


def test_models_stay_while_memory_allows_and_the_longest_unused_makes_room():
    loaded: list[str] = []
    engine = EmbeddedEngine(loader=opener(loaded, 100_000), memory=270_000)
    for number, model_id in enumerate(("one", "two", "one", "three", "one", "two")):
        engine.submit(trace_of(f"text {number}", model_id)).result(SOON)
    assert loaded == ["one", "two", "three", "two"]
    assert engine.is_loaded("one")
    assert not engine.is_loaded("three")


def test_many_small_models_are_all_held():
    loaded: list[str] = []
    engine = EmbeddedEngine(loader=opener(loaded, 100_000), memory=3_000_000)
    for turn in range(2):
        for number in range(20):
            engine.submit(trace_of(f"turn {turn}", f"model {number}")).result(SOON)
    assert len(loaded) == 20


def test_answers_and_models_share_one_memory():
    loaded: list[str] = []
    engine = EmbeddedEngine(loader=opener(loaded, 100_000), memory=115_000)
    for text in "ab":
        engine.submit(trace_of(text)).result(SOON)
    assert engine.nbytes == 110_000  # a fifth would hold two answers, if the model left room
    engine.submit(trace_of("c", "other")).result(SOON)
    assert (engine.nbytes, loaded) == (110_000, ["fake", "other"])
    assert not engine.is_loaded("fake")


def test_many_answers_push_out_no_model():
    """Neither one that is asked no more, nor the room that others of the machine need."""
    loaded: list[str] = []
    engine = EmbeddedEngine(loader=opener(loaded, 100_000), memory=500_000)
    engine.submit(trace_of("a")).result(SOON)
    for number in range(50):
        engine.derived((number,), lambda number=number: Answer(str(number)))
    assert engine.nbytes == 200_000
    engine.submit(trace_of("b")).result(SOON)
    assert loaded == ["fake"]


def test_what_was_long_in_the_making_is_kept_as_models_are():
    engine = EmbeddedEngine(loader=opener([], 1), memory=500_000)
    measured = engine.start(
        "all heads", lambda _: Answer("m", 150_000), Lane.MEASUREMENTS
    ).future.result(SOON)
    for number in range(50):
        engine.derived((number,), lambda number=number: Answer(str(number)))
    again = engine.start("all heads", lambda _: Answer("other"), Lane.MEASUREMENTS)
    assert again.future.result(SOON) is measured
    assert engine.nbytes == 250_000


def test_closing_ends_every_thread_after_what_was_asked(model: FakeModel):
    before = set(threading.enumerate())
    engine = EmbeddedEngine(loader=lambda *_, **__: model)
    answers = [engine.submit(trace_of(text)) for text in "abc"]
    jobs = [engine.start((n, lane), lambda _: 1, lane) for n in range(20) for lane in Lane]
    own = set(threading.enumerate()) - before
    assert 1 < len(own) <= 1 + sum(WORKERS.values())  # however many jobs
    engine.close()
    assert [answer.result(0).text for answer in answers] == ["a", "b", "c"]
    assert [job.future.result(0) for job in jobs] == [1] * len(jobs)
    assert not any(thread.is_alive() for thread in own)


def test_a_model_that_cannot_be_had_fails_its_requests_only(model: FakeModel):
    def load(model_id: str, **_: object) -> FakeModel:
        if model_id == "far":
            raise core.ModelUnavailableError("no network")
        return model

    engine = EmbeddedEngine(loader=load)
    futures = [engine.submit(trace_of("a", model_id)) for model_id in ("far", "near", "far")]
    assert futures[1].result(SOON).text == "a"
    for index in (0, 2):
        with pytest.raises(core.ModelUnavailableError, match="no network"):
            futures[index].result(SOON)


def test_a_model_that_could_not_be_had_is_tried_again_when_asked_again():
    tries: list[str] = []

    def load(model_id: str, **_: object) -> FakeModel:
        tries.append(model_id)
        raise core.ModelUnavailableError("no network")

    engine = EmbeddedEngine(loader=load)
    for _ in range(2):
        with pytest.raises(core.ModelUnavailableError, match="no network"):
            engine.submit(trace_of("a")).result(SOON)
    assert tries == ["fake", "fake"]


def test_a_reader_may_leave_while_waiting(engine: EmbeddedEngine, model: FakeModel):
    """The future is shared: one who leaves takes it from nobody."""
    held_up(engine, model)
    gone = engine.submit(trace_of("both want this"))
    assert not gone.cancel()
    model.gate.set()
    assert engine.submit(trace_of("after")).result(SOON).text == "after"
    assert gone.result(SOON).text == "both want this"


def test_progress_of_a_download_is_seen_while_it_lasts():
    gate, seen = threading.Event(), threading.Event()

    def load(_: str, progress: Callable[[int, int], None]) -> FakeModel:
        progress(3, 10)
        seen.set()
        gate.wait(SOON)
        model = FakeModel()
        model.gate.set()
        return model

    engine = EmbeddedEngine(loader=load)
    future = engine.submit(trace_of("a"))
    seen.wait(SOON)
    assert engine.download_progress("fake") == Progress("downloading", 3, 10)
    gate.set()
    future.result(SOON)
    assert engine.download_progress("fake") is None


def test_a_model_on_its_way_holds_nobody_else_up(model: FakeModel):
    gate = threading.Event()

    def load(model_id: str, **_: object) -> FakeModel:
        if model_id == "far":
            gate.wait(SOON)
        return model

    model.gate.set()
    engine = EmbeddedEngine(loader=load)
    assert engine.submit(trace_of("first", "near")).result(SOON).text == "first"
    far = [engine.submit(trace_of(text, "far")) for text in ("a", "b")]
    assert engine.submit(trace_of("meanwhile", "near")).result(SOON).text == "meanwhile"
    assert not any(future.done() for future in far)
    gate.set()
    assert [future.result(SOON).text for future in far] == ["a", "b"]


def test_an_unknown_method_is_a_bug(engine: EmbeddedEngine):
    with pytest.raises(ValueError, match=r"fetch is no question of core\.outputs\.families"):
        engine.submit(Request("fake", fetch))


def test_a_batch_equals_single_requests(tiny_checkpoint: Callable[[str], Path]):
    """With a real model: what ran together is what each would have got alone."""
    folder = str(tiny_checkpoint("bert"))
    texts = ["the cat sat", "a dog ran", "it was too tired", "the street", "a cat !"]
    alone = core.load(folder)
    gate = threading.Event()

    def load(model_id: str, **_: object) -> Any:
        gate.wait(SOON)
        return core.load(model_id)

    engine = EmbeddedEngine(loader=load)
    futures = [engine.submit(trace_of(text, folder)) for text in texts]
    gate.set()
    for text, future in zip(texts, futures, strict=True):
        trace, expected = future.result(SOON), alone.trace(text)
        np.testing.assert_allclose(trace.logits, expected.logits, atol=1e-5)
        for index in range(3):
            np.testing.assert_allclose(
                trace.attention(index).weights, expected.attention(index).weights, atol=1e-5
            )


def test_a_bad_text_beside_good_ones(tiny_checkpoint: Callable[[str], Path]):
    folder = str(tiny_checkpoint("bert"))
    engine = EmbeddedEngine()
    futures = [engine.submit(trace_of(text, folder)) for text in ("the cat", " ", "a dog")]
    assert futures[0].result(SOON).tokens[2] == "cat"
    with pytest.raises(core.InputError, match="is empty"):
        futures[1].result(SOON)
    assert futures[2].result(SOON).tokens[2] == "dog"
    card = engine.submit(Request.of(opened_card, folder)).result(SOON)
    assert (card.layers, card.heads) == (3, 4)


def test_a_known_answer_is_given_before_the_model_is_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    """A file that can't be read, or holds another question's answer, is not used."""
    opened: list[str] = []

    def load(model_id: str, **_: object) -> FakeModel:
        opened.append(model_id)
        model = FakeModel()
        model.gate.set()
        return model

    known = KnownAnswers(tmp_path)
    first = Request.of(opened_card, "first")
    path = known.keep(first, ("of the first",))
    engine = EmbeddedEngine(load, known=known)
    assert engine.submit(first).result(SOON) == ("of the first",)
    assert opened == []

    cut_off = known.keep(Request.of(opened_card, "cut-off"), ("cut off",))
    cut_off.write_bytes(path.read_bytes()[:100])
    swapped = known.keep(Request.of(opened_card, "swapped"), ("swapped",))
    swapped.write_bytes(path.read_bytes())
    for other in ("unknown", "cut-off", "swapped"):
        engine.submit(Request.of(opened_card, other)).result(SOON)
    assert opened == ["unknown", "cut-off", "swapped"]
    assert "cut-off" in caplog.text
    engine.close()


def test_a_known_answer_that_can_not_be_read_at_all_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: FakeModel
):
    known = KnownAnswers(tmp_path)
    engine = EmbeddedEngine(lambda *_, **__: model, known=known)
    monkeypatch.setattr(known, "get", _run_out_of_memory)
    for _ in range(2):  # the second would wait for the first
        with pytest.raises(MemoryError):
            engine.submit(trace_of("a")).result(SOON)
    monkeypatch.undo()
    assert engine.submit(trace_of("a")).result(SOON).text == "a"
    engine.close()


def _run_out_of_memory(_: object) -> None:
    raise MemoryError


class Unmeasured:
    """An answer that the cache can't count."""

    @property
    def nbytes(self) -> int:
        raise RuntimeError("my very own sentence")


def test_a_fault_beside_the_answers_ends_nobody_elses(
    model: FakeModel, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    broken = FakeModel()
    for question in ("trace", "measure"):
        monkeypatch.setattr(broken, question, lambda **_: Unmeasured())
    engine = EmbeddedEngine(lambda model_id, **_: broken if model_id == "broken" else model)
    for asked in (
        trace_of("a", "broken"),
        Request.of(Encoder.measure, "broken", "a", (), LogitTarget(1, 7)),  # in slices
    ):
        with pytest.raises(RuntimeError, match="my very own sentence"):
            engine.submit(asked).result(SOON)
    assert engine.submit(trace_of("a")).result(SOON).text == "a"
    told = [record for record in caplog.records if record.name == "core.engine.inference"]
    assert [record.getMessage().split(":")[0] for record in told] == [
        "broken could not answer trace",
        "broken could not answer measure",
    ]
    assert "my very own sentence" not in caplog.text
    engine.close()


def test_only_answers_that_can_be_written_are_kept(tmp_path: Path):
    with pytest.raises(TypeError, match="Answer is no part of a saved answer"):
        KnownAnswers(tmp_path).keep(Request.of(opened_card, "first"), Answer("text"))
