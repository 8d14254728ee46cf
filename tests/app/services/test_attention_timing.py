"""One measurement at a time, for all; then a rest."""

import threading

import numpy as np
import pytest

from app.services import attention_timing as module
from app.services.attention_timing import Stopwatch, stopwatch
from core.blocks.attention_time import AttentionTimes

ONE = np.ones(1)
TIMES = AttentionTimes(ONE, ONE, ONE, ONE, "a machine", "cpu")
PATIENCE = 10.0  # seconds


def ended(watch: Stopwatch) -> bool:
    wait = threading.Event()
    return any(not watch.measuring or wait.wait(0.01) for _ in range(int(PATIENCE / 0.01)))


def test_many_readers_start_one_measurement(monkeypatch: pytest.MonkeyPatch):
    release, calls = threading.Event(), []

    def measure(progress):
        calls.append(1)
        progress(0.25)
        assert release.wait(PATIENCE)
        return TIMES

    monkeypatch.setattr(module, "measure_apart", measure)
    watch = Stopwatch()
    for _ in range(20):
        watch.start()
    assert watch.measuring
    release.set()
    assert ended(watch)
    assert calls == [1]
    assert watch.share == 0.25
    assert watch.times is TIMES
    watch.start()  # it rests
    assert not watch.measuring
    assert 0 < watch.resting <= module.REST
    assert calls == [1]


def test_a_failure_keeps_the_last_times_and_says_so(monkeypatch: pytest.MonkeyPatch):
    def fail(progress):
        progress(0.5)
        raise RuntimeError("killed")

    monkeypatch.setattr(module, "measure_apart", fail)
    watch = Stopwatch()
    watch.times = TIMES
    watch.start()
    assert ended(watch)
    assert watch.failed
    assert watch.times is TIMES


def test_all_callers_get_the_same_one():
    found: list[Stopwatch] = []
    threads = [threading.Thread(target=lambda: found.append(stopwatch())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(watch) for watch in found}) == 1
