"""Jobs: once for all who wait, a failure for everybody, an end for what nobody waits for."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.engine import jobs as module
from core.engine.cache import ByteCache
from core.engine.jobs import WORKERS, Jobs, Lane
from core.errors import BusyError, InputError
from core.long_work import Progress, Report

SOON = 20  # seconds: far more than any of these takes
READERS = 8


@pytest.fixture
def jobs() -> Jobs:
    return Jobs(ByteCache(10_000))


def test_many_who_ask_at_once_share_one_run_and_its_progress(jobs: Jobs):
    gate, told, runs, start = threading.Event(), threading.Event(), [], threading.Barrier(READERS)

    def work(report: Report) -> str:
        runs.append(1)
        report(Progress("merging", 3, 10))
        told.set()
        assert gate.wait(SOON)
        return "done"

    def ask(_: int) -> tuple[object, str]:
        start.wait(SOON)
        job = jobs.ask("key", work, Lane.TRAININGS)
        assert told.wait(SOON)
        start.wait(SOON)
        seen = job.progress()
        gate.set()
        return seen, job.future.result(SOON)

    with ThreadPoolExecutor(READERS) as readers:
        found = list(readers.map(ask, range(READERS)))
    assert found == [(Progress("merging", 3, 10), "done")] * READERS
    assert runs == [1]
    assert jobs.ask("key", work, Lane.TRAININGS).future.result(SOON) == "done"
    assert runs == [1]  # the result is kept
    assert jobs.progress("key") is None  # nothing is on its way


@pytest.mark.parametrize("error", [InputError("told"), RuntimeError("a bug"), SystemExit("out")])
def test_a_failure_reaches_everybody_and_is_not_kept(jobs: Jobs, error: BaseException):
    gate, runs = threading.Event(), []

    def work(_: Report) -> int:
        runs.append(1)
        assert gate.wait(SOON)
        if len(runs) == 1:
            raise error
        return 7

    waiting = [jobs.ask("key", work, Lane.TRAININGS) for _ in range(READERS)]
    gate.set()
    assert [job.future.exception(SOON) for job in waiting] == [error] * READERS
    assert jobs.ask("key", work, Lane.TRAININGS).future.result(SOON) == 7
    assert len(runs) == 2


def test_a_size_that_cannot_be_told_is_a_failure_too(jobs: Jobs):
    job = jobs.ask("key", lambda _: 1, Lane.TRAININGS, nbytes=lambda made: made // 0)
    assert isinstance(job.future.exception(SOON), ZeroDivisionError)


def test_what_nobody_looks_at_ends(jobs: Jobs):
    pause = threading.Event()

    def work(report: Report) -> None:
        for done in range(1000):
            report(Progress("merging", done, 1000))
            pause.wait(0.01)

    job = jobs.ask("key", work, Lane.TRAININGS, patience=0.05)
    with pytest.raises(InputError, match="nobody waited"):
        job.future.result(SOON)


def test_looking_keeps_it_alive(jobs: Jobs, monkeypatch: pytest.MonkeyPatch):
    now, gate = [0.0], threading.Event()
    monkeypatch.setattr("core.engine.jobs.time.monotonic", lambda: now[0])

    def work(report: Report) -> str:
        assert gate.wait(SOON)
        report(Progress("merging", 1, 2))
        return "done"

    job = jobs.ask("key", work, Lane.TRAININGS, patience=20)
    now[0] = 30.0
    assert job.progress() is None
    gate.set()
    assert job.future.result(SOON) == "done"


def test_results_make_room_by_their_bytes():
    cache = ByteCache(10_000)
    jobs = Jobs(cache)
    for number in range(5):
        jobs.ask(number, lambda _: "x", Lane.TRAININGS, nbytes=lambda _: 4_000).future.result(SOON)
    assert [cache.holds(number) for number in range(5)] == [False, False, False, True, True]
    assert cache.nbytes == 8_000


def test_a_lane_that_is_full_holds_up_no_other(jobs: Jobs):
    gate = threading.Event()
    stuck = [jobs.ask(n, lambda _: gate.wait(SOON), Lane.TRAININGS) for n in range(5)]
    assert jobs.ask("model", lambda _: "open", Lane.MODELS).future.result(SOON) == "open"
    assert not any(job.future.done() for job in stuck)
    gate.set()
    assert all(job.future.result(SOON) for job in stuck)


def test_hundreds_of_jobs_need_no_more_threads_than_their_lanes():
    before = set(threading.enumerate())
    jobs = Jobs(ByteCache(10**6))
    made = [jobs.ask((n, lane), lambda _: 1, lane) for n in range(300) for lane in Lane]
    own = set(threading.enumerate()) - before
    assert 0 < len(own) <= sum(WORKERS.values())
    jobs.close()
    assert all(job.future.result(0) == 1 for job in made)
    assert not any(thread.is_alive() for thread in own)


@pytest.mark.parametrize(("done", "total", "share"), [(1, 4, 0.25), (5, 4, 1), (3, 0, 0)])
def test_a_share_is_between_nothing_and_all(done: float, total: float, share: float):
    assert Progress("", done, total).share == share


@pytest.mark.parametrize("another_looks", [True, False])
def test_what_one_reader_leaves_goes_on_for_another_alone(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch, *, another_looks: bool
):
    monkeypatch.setattr("core.engine.jobs.GRACE", 0.0)
    begun, gate = threading.Event(), threading.Event()

    def work(report: Report) -> str:
        report(Progress("sweeping", 1, 2))
        begun.set()
        assert gate.wait(SOON)
        report(Progress("sweeping", 2, 2))
        return "done"

    job = jobs.ask("key", work, Lane.MEASUREMENTS, patience=SOON)
    assert begun.wait(SOON)
    job.leave()
    if another_looks:
        job.progress()
    gate.set()
    if another_looks:
        assert job.future.result(SOON) == "done"
    else:
        with pytest.raises(InputError, match="nobody waited"):
            job.future.result(SOON)


def test_who_waits_has_a_place_and_a_full_lane_says_so(jobs: Jobs, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "JOBS", 2)
    begun, gate = threading.Event(), threading.Event()

    def work(_: Report) -> str:
        begun.set()
        assert gate.wait(SOON)
        return "done"

    first = jobs.ask("first", work, Lane.MEASUREMENTS)
    assert begun.wait(SOON)
    waiting = [jobs.ask(key, work, Lane.MEASUREMENTS) for key in ("second", "third")]
    assert [job.place() for job in (first, *waiting)] == [None, 1, 2]
    refused = jobs.ask("fourth", work, Lane.MEASUREMENTS)
    assert isinstance(refused.future.exception(SOON), BusyError)
    assert jobs.ask("third", work, Lane.MEASUREMENTS).place() == 2  # the same, asked for by others
    gate.set()
    assert [job.future.result(SOON) for job in (first, *waiting)] == ["done"] * 3
    assert [job.place() for job in waiting] == [None, None]
    assert jobs.ask("fourth", work, Lane.MEASUREMENTS).future.result(SOON) == "done"
