"""How many wrong codes may come from one place."""

import pytest

from app.rooms.guesses import AGAIN, MOST_PLACES, WRONG, Bucket, place_of
from tests.app.rooms.rooms import Clock


def test_ten_thousand_guesses_take_hours_and_nobody_else_waits():
    clock = Clock()
    bucket = Bucket(WRONG, AGAIN, clock)
    began, tried = clock.now, 0
    while tried < 10_000:
        if bucket.empty("a"):
            clock.now += 1
        else:
            bucket.spend("a")
            tried += 1
    assert clock.now - began == pytest.approx((10_000 - WRONG) / AGAIN, rel=0.01)
    assert clock.now - began > 5 * 3600
    assert not bucket.empty("b")


def test_it_fills_up_again_and_never_further():
    clock = Clock()
    bucket = Bucket(2, 0.5, clock)
    bucket.spend("a")
    bucket.spend("a")
    assert bucket.empty("a")
    clock.now += 2
    assert not bucket.empty("a")
    clock.now += 1e6
    bucket.spend("a")
    bucket.spend("a")
    assert bucket.empty("a")


def test_what_it_remembers_is_bounded():
    bucket = Bucket(1, 0, Clock())
    for number in range(MOST_PLACES + 10):
        bucket.spend(str(number))
    assert len(bucket._left) == MOST_PLACES
    assert bucket.empty(str(MOST_PLACES))
    assert not bucket.empty("0")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("2001:db8:1:2::3", "2001:db8:1:2:ffff::1", True),
        ("2001:db8:1:2::3", "2001:db8:1:3::3", False),
        (None, "nonsense", True),
    ],
)
def test_a_place_is_what_one_owner_was_given(one: str | None, other: str, *, same: bool):
    assert (place_of(one) == place_of(other)) is same
