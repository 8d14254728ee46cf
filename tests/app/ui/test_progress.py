"""One waiter: quiet at first, then a line; the reader's errors in the page, bugs not hidden."""

from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from app.ui import progress
from core.errors import InputError


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SILENT", 0.01)
    monkeypatch.setattr(progress, "STEP", 0.01)


def done(value: object = None, error: Exception | None = None) -> Future[object]:
    made: Future[object] = Future()
    if error is None:
        made.set_result(value)
    else:
        made.set_exception(error)
    return made


def test_what_is_there_is_taken_without_a_word():
    assert progress.waited(done("answer"), lambda: pytest.fail("it was there")) == "answer"


def test_something_is_said_until_it_comes():
    future: Future[str] = Future()
    said: list[int] = []

    def say() -> None:
        said.append(len(said))
        if len(said) == 3:
            future.set_result("answer")

    assert progress.waited(future, say) == "answer"
    assert said == [0, 1, 2]


def test_who_has_waited_long_looks_less_often(monkeypatch: pytest.MonkeyPatch):
    """Over all of their patience, of which no time passes."""
    looks: list[float] = []
    told: list[float] = []

    def wait(_: object, seconds: float) -> SimpleNamespace:
        looks.append(seconds)
        return SimpleNamespace(done=())

    monkeypatch.setattr(progress, "wait", wait)
    monkeypatch.setattr(progress, "STEP", 0.2)
    with pytest.raises(progress.TooLongError):
        progress.waited(Future(), lambda: told.append(sum(looks)))
    assert looks[0] == progress.LOOK
    assert looks == sorted(looks)
    assert looks[-1] == progress.MOST_LOOK
    early = [when for when in told if when < 2]
    assert len(early) > 6
    assert told[-1] - told[-2] == pytest.approx(progress.MOST_STEP)


def test_two_waiters_get_the_same_answer_and_the_same_error():
    for future in (done("answer"), done(error=InputError("no such word"))):
        heard = []
        for _ in range(2):
            try:
                heard.append(progress.waited(future, lambda: None))
            except InputError as error:
                heard.append(error)
        assert heard[0] is heard[1]


def test_patience_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    with pytest.raises(progress.TooLongError, match=r"^The model has not come for 0 minutes\."):
        progress.waited(Future(), lambda: None, "The model has not come")


def test_a_timeout_within_the_work_is_no_impatience():
    with pytest.raises(TimeoutError, match="the hub"):
        progress.waited(done(error=TimeoutError("the hub")), lambda: None)


def test_arrivals_come_before_all_is_there_and_end_with_all():
    futures: list[Future[object]] = [Future(), Future(), Future()]
    seen: list[int] = []
    for _ in progress.arrivals(futures):
        seen.append(sum(future.done() for future in futures))
        if seen[-1] < len(futures):
            futures[seen[-1]].set_result(None)
    assert seen == [0, 1, 2, 3]


def test_what_is_there_has_arrived_at_once():
    assert len(list(progress.arrivals([done("a"), done(error=InputError("b"))]))) == 1
    assert len(list(progress.arrivals([]))) == 1


def test_arrivals_end_with_a_sentence_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    with pytest.raises(progress.TooLongError, match="Not all is here after 0 minutes"):
        list(progress.arrivals([Future()]))


@pytest.mark.parametrize(
    ("place", "loaded", "said"),
    [
        (4, True, "Others have asked before: you are 4th in line …"),
        (None, True, "Working …"),
        (None, False, "Opening the model …"),
    ],
)
def test_who_waits_reads_what_for(
    place: int | None, loaded: bool, said: str, monkeypatch: pytest.MonkeyPatch
):
    answer: Future[str] = Future()
    monkeypatch.setattr(progress.engine, "place", {answer: place}.get)
    monkeypatch.setattr(progress.engine, "is_loaded", lambda _: loaded)
    monkeypatch.setattr(progress.engine, "download_progress", lambda _: None)
    line = Line()
    progress._opening(answer, "any")(line)  # type: ignore[arg-type]
    assert line.said == [said]


class Line:
    def __init__(self) -> None:
        self.said: list[str] = []

    def caption(self, text: str) -> None:
        self.said.append(text)
