"""What is collected when; no clock, no sleep."""

import gc

import pytest

from app.services.garbage import ENOUGH, IDLE, LONGEST, PAUSE, Collector


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The oldest generation of each collection."""
    done: list[int] = []
    monkeypatch.setattr(gc, "collect", done.append)
    return done


def test_while_readers_click_only_the_young(done: list[int]):
    Collector(0.0, 0.0).collect(PAUSE, 2 * IDLE * PAUSE)
    assert done == [1]


def test_everything_while_nobody_does(done: list[int]):
    Collector(0.0, 0.0).collect(PAUSE, 0.5 * IDLE * PAUSE)
    assert done == [2]


def test_not_again_where_next_to_nothing_was_done(done: list[int]):
    collector = Collector(0.0, 0.0)
    collector.collect(PAUSE, 0.9 * ENOUGH)
    collector.collect(30 * LONGEST, 0.95 * ENOUGH)
    collector.collect(31 * LONGEST, 1.1 * ENOUGH)
    collector.collect(32 * LONGEST, 1.2 * ENOUGH)
    assert done == [1, 1, 2, 1]


def test_a_pause_is_judged_by_itself(done: list[int]):
    collector = Collector(0.0, 0.0)
    collector.collect(PAUSE, PAUSE)
    collector.collect(2 * PAUSE, PAUSE)
    assert done == [1, 2]


def test_who_is_never_idle_is_looked_through_at_last(done: list[int]):
    collector = Collector(0.0, 0.0)
    turns = int(LONGEST / PAUSE) + 1
    for turn in range(1, turns + 1):
        collector.collect(turn * PAUSE, turn * PAUSE)
    assert done == [1] * (turns - 1) + [2]
