"""Runs are drawn one after another; nobody waits long for one, or for what it waits for."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from app.ui import progress
from app.ui.one_at_a_time import ROW, Row, Turn, in_turn

MANY = 20
SOON = 10.0  # seconds, after which a test has failed


def started(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


class TestTurns:
    def test_the_first_waits_for_nobody(self):
        Turn(None).begin(longest=SOON)

    def test_the_next_begins_when_the_first_is_over(self):
        first = Turn(None)
        second = Turn(first)
        first.begin(longest=SOON)
        begun = threading.Event()
        thread = started(lambda: (second.begin(longest=SOON), begun.set()))
        assert not begun.wait(0.05)
        first.end()
        assert begun.wait(SOON)
        thread.join()

    def test_or_when_the_first_has_had_its_time(self):
        first = Turn(None)
        first.begin(longest=SOON)
        Turn(first).begin(longest=0.001)

    def test_a_third_waits_for_the_second_to_begin_at_all(self):
        first = Turn(None)
        second = Turn(first)
        third = Turn(second)
        first.begin(longest=SOON)
        begun = threading.Event()
        thread = started(lambda: (third.begin(longest=0.001), begun.set()))
        assert not begun.wait(0.05)
        second.begin(longest=0.001)
        assert begun.wait(SOON)
        thread.join()

    def test_what_has_been_is_not_kept(self):
        first = Turn(None)
        second = Turn(first)
        first.end()
        second.begin(longest=SOON)
        assert second._before is None


def test_one_at_a_time_and_in_their_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("app.ui.one_at_a_time.LONGEST", SOON)
    row, order, at_once, most = Row(), [], [], []

    def draw(number: int) -> None:
        with row.turn():
            at_once.append(number)
            most.append(len(at_once))
            order.append(number)
            time.sleep(0)  # whoever may begin, does
            at_once.remove(number)

    with row.turn():
        threads = []
        for number in range(MANY):
            before = row._last
            threads.append(started(lambda number=number: draw(number)))
            until(lambda before=before: row._last is not before)
    for thread in threads:
        thread.join()
    assert order == list(range(MANY))
    assert most == [1] * MANY


def test_what_breaks_gives_the_turn_on():
    row = Row()
    with pytest.raises(ValueError, match="broken"), row.turn():
        raise ValueError("broken")
    with row.turn():
        assert row._last is not None
    assert row._last._over.is_set()


def test_who_waits_for_an_answer_keeps_nobody(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("app.ui.one_at_a_time.LONGEST", SOON)
    monkeypatch.setattr(progress, "let_a_click_through", lambda: None)
    answer: Future[str] = Future()
    before = ROW._last
    heard: list[str] = []
    waits = started(in_turn(lambda: heard.append(progress.waited(answer, lambda: None))))
    drawn = threading.Event()
    until(lambda: ROW._last is not before and ROW._last._over.is_set())  # it stands aside
    other = started(in_turn(drawn.set))
    assert drawn.wait(SOON / 2)
    answer.set_result("42")
    waits.join()
    other.join()
    assert heard == ["42"]


def test_outside_of_a_run_nobody_stands_in_the_row():
    before = ROW._last
    with ROW.aside():
        assert ROW._last is before
    assert ROW._last is before


def until(is_so: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < SOON
        time.sleep(0.001)
