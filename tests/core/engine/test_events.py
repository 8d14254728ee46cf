"""What an engine tells of itself."""

from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from core.engine import EmbeddedEngine, Request, events
from core.engine.events import Asked, Batches, Ended, Event, Events, Found, Together
from core.errors import BusyError, InputError, ModelUnavailableError
from core.long_work import WithdrawnError
from core.outputs.families import Encoder, TextModel
from tests.core.engine.test_engine import SOON, FakeModel, trace_of


@pytest.fixture
def told() -> Iterator[list[Event]]:
    heard: list[Event] = []
    events.EVENTS.listen(heard.append)
    yield heard
    events.EVENTS.listen(lambda _: None)


def test_what_was_told_before_anybody_listened_comes_first():
    one, two = Together(2), Together(3)
    told, heard = Events(), list[Event]()
    told.tell(one)
    told.listen(heard.append)
    told.tell(two)
    assert heard == [one, two]


def test_batches_are_taken_once():
    told = Events()  # those of other tests' engines are in everybody's
    batches = Batches(told)
    for event in (Together(2), Asked("trace", Found.CACHED), Together(16)):
        told.tell(event)
    assert (batches.taken(), batches.taken()) == ((2, 16), ())


def test_only_so_much_is_kept_for_nobody():
    told, heard = Events(), list[Event]()
    for size in range(events.KEPT + 5):
        told.tell(Together(size))
    told.listen(heard.append)
    assert (len(heard), heard[0]) == (events.KEPT, Together(5))


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (None, "answered"),
        (InputError("a"), "refused"),
        (ModelUnavailableError("a"), "unavailable"),
        (WithdrawnError(), "withdrawn"),
        (BusyError("a"), "busy"),
        (KeyError("a"), "failed"),
    ],
)
def test_how_a_question_ended(error: Exception | None, outcome: str):
    told, heard = Events(), list[Event]()
    told.listen(heard.append)
    future: Future[int] = Future()
    told.time("trace", future)
    future.set_exception(error) if error else future.set_result(1)
    (ended,) = heard
    assert isinstance(ended, Ended)
    assert (ended.question, ended.outcome) == ("trace", outcome)
    assert ended.seconds >= 0


class Masks(FakeModel):
    """Answers what no other test here asks: engines of other tests may still tell theirs."""

    def fill_mask(self, text: str) -> str:
        self.gate.wait(SOON)
        return text


def test_an_engine_tells_what_it_was_asked_and_no_text(told: list[Event]):
    model, request = Masks(), Request.of(Encoder.fill_mask, "fake", "a secret")
    engine = EmbeddedEngine(lambda _, **__: model)
    first, again = engine.submit(request), engine.submit(request)
    model.gate.set()
    for future in (first, again):
        future.result(SOON)
    engine.submit(request).result(SOON)
    engine.close()
    ours = [one for one in told if not isinstance(one, Together) and one.question == "fill_mask"]
    assert [one.found for one in ours if isinstance(one, Asked)] == [
        *(Found.NOTHING, Found.PENDING, Found.CACHED)
    ]
    assert [one.outcome for one in ours if isinstance(one, Ended)] == ["answered"]
    assert "secret" not in repr(told)


def test_a_batch_is_told_by_its_size(told: list[Event]):
    model = FakeModel()
    engine = EmbeddedEngine(lambda _, **__: model)
    futures = [engine.submit(trace_of("first"))]
    model.busy.wait(SOON)  # the others wait together
    futures += [engine.submit(Request.of(TextModel.trace, "fake", text)) for text in "abc"]
    model.gate.set()
    for future in futures:
        future.result(SOON)
    engine.close()
    assert Together(3) in told
