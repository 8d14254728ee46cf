"""Whose turn it is, of long answers that have had so many seconds."""

from dataclasses import dataclass

import pytest

from core.engine.turns import AT_ONCE, MOST, TRIAL, before, may_begin, next_of


@dataclass(eq=False)
class Had:
    taken: float


def begun(*taken: float) -> list[Had]:
    return [Had(each) for each in taken]


@pytest.mark.parametrize(
    ("taken", "place"),
    [
        ((0.3,), 0),
        ((0.3, 0.2, 0.4), 1),
        ((0.3, 0.3), 0),  # who began first
        ((20.0, 0.9), 1),  # the new one, whatever the old one waits for
        ((30.0, 20.0, 40.0), 1),
        ((5.0, 5.0, 5.0, 5.0, 1.0), 0),  # the fifth stands aside until one has ended
    ],
)
def test_whose_turn_it_is(taken: tuple[float, ...], place: int):
    works = begun(*taken)
    assert next_of(works) is works[place]


def test_a_short_answer_waits_for_parts_of_itself_alone():
    """Ten parts of 0.05 s, begun behind four answers that go on for ever."""
    works = begun(*(100.0,) * AT_ONCE)
    short = Had(0.0)
    works.append(short)
    for _ in range(10):
        assert next_of(works) is short
        short.taken += 0.05


def test_equal_answers_end_in_their_order_four_at_a_time():
    """Twelve that take three seconds each: none stands still until all are done."""
    works, ended = begun(*(0.0,) * 12), list[int]()
    names = {id(work): number for number, work in enumerate(works)}
    while works:
        work = next_of(works)
        work.taken += 0.1
        if work.taken > 3:
            works.remove(work)
            ended.append(names[id(work)])
    assert ended == [*range(12)]


def test_there_is_room_for_some_new_ones_and_not_for_any_number():
    assert may_begin(begun(*(2 * TRIAL,) * (MOST - 1)))
    assert not may_begin(begun(*(2 * TRIAL,) * MOST))
    assert may_begin(begun(*(0.0,) * (AT_ONCE - 1)))
    assert not may_begin(begun(*(0.0,) * AT_ONCE))


def test_who_stands_aside_knows_behind_how_many():
    works = begun(5.0, 0.1, 5.0, 5.0, 5.0, 5.0, 5.0, 0.2)
    told = [before(works, work) for work in works]
    assert told == [None, None, None, None, None, 0, 1, None]
