"""Short questions before long ones, long ones in turns of those who ask."""

from typing import Any

from core.engine import Request
from core.engine.line import BATCH_LIMIT, Line
from core.outputs.families import LONG, QUESTIONS, TextModel, VisionModel


def short(text: str) -> Request[Any]:
    return Request.of(TextModel.trace, "fake", text)


def long(picture: str, asker: str = "a") -> Request[Any]:
    return Request("fake", VisionModel.evidence, {"image": picture}, asker)


def test_what_takes_long_is_a_question():
    assert {question.__name__ for question in QUESTIONS} >= LONG


def test_short_ones_come_some_at_a_time_in_their_order():
    line = Line()
    asked = [short(str(n)) for n in range(BATCH_LIMIT + 2)]
    for one in (long("p"), *asked):
        line.put(one)
    assert len(line) == BATCH_LIMIT + 3
    assert line.take_short() == asked[:BATCH_LIMIT]
    assert line.take_short() == asked[BATCH_LIMIT:]
    assert line.take_short() == []
    assert line.take_long() == long("p")
    assert line.take_long() is None


def test_nobody_waits_for_more_than_one_of_each_others():
    line = Line()
    for one in (long("1", "a"), long("2", "a"), long("3", "a"), long("4", "b"), long("5", "c")):
        line.put(one)
    everybody = [long("1"), long("4"), long("5"), long("2"), long("3")]
    assert [line.before(one) for one in everybody] == [0, 1, 2, 3, 4]
    assert [line.take_long() for _ in range(5)] == everybody


def test_the_place_counts_short_ones_too():
    line = Line()
    line.put(long("1"))
    line.put(short("a"))
    assert (line.before(short("a")), line.before(long("1"))) == (0, 1)
    assert line.before(short("b")) is None


def test_places_move_up_when_others_are_taken():
    line = Line()
    asked = [short(str(n)) for n in range(BATCH_LIMIT + 4)]
    for one in (long("p"), *asked):
        line.put(one)
    assert [line.before(one) for one in asked] == [*range(BATCH_LIMIT + 4)]
    line.take_short()
    assert [line.before(one) for one in asked] == [None] * BATCH_LIMIT + [0, 1, 2, 3]
    line.put(asked[0])
    assert (line.before(asked[0]), line.before(long("p"))) == (4, 5)
    line.take_short()
    assert [line.before(one) for one in (*asked, long("p"))] == [None] * len(asked) + [0]


def test_a_closed_line_gives_out_what_waits():
    line = Line()
    line.put(short("a"))
    line.close()
    assert line.wait()
    assert line.take_short() == [short("a")]
    assert not line.wait()
