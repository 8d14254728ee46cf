"""Batches that are drawn ahead come in the steps' order, and an error with them."""

from threading import Event

import pytest

from core.errors import InputError
from core.training.common.ahead import BATCHES, Ahead


def test_the_steps_batches_come_in_order_from_the_first_that_is_wanted() -> None:
    ahead = Ahead(lambda step: step * 10)
    assert [ahead(step) for step in range(7, 20)] == [step * 10 for step in range(7, 20)]


def test_the_next_ones_are_drawn_before_anybody_asks_and_no_more() -> None:
    drawn: list[int] = []
    full = Event()

    def draw(step: int) -> int:
        drawn.append(step)
        if len(drawn) == BATCHES + 2:  # one is taken, one waits for room
            full.set()
        return step

    assert Ahead(draw)(0) == 0
    assert full.wait(60)
    assert drawn == list(range(BATCHES + 2))


def test_an_error_reaches_who_waits_for_the_batch_behind_the_good_ones() -> None:
    def draw(step: int) -> int:
        if step == 2:
            raise InputError("the text has an end")
        return step

    ahead = Ahead(draw)
    assert [ahead(0), ahead(1)] == [0, 1]
    with pytest.raises(InputError, match="the text has an end"):
        ahead(2)
