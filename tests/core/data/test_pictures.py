"""Squares of photographs: as many of each, the same every time, told by what they are cut from."""

import numpy as np
import pytest

from core.data import pictures
from core.data.pictures import CUTS, PHOTOGRAPHS, SIDE, photograph, squares, squares_hash
from core.explain.attention.head_roles import ENOUGH


def test_there_are_enough_for_a_name_and_no_two_alike():
    found = squares()
    assert len(found) == CUTS * len(PHOTOGRAPHS) >= ENOUGH
    assert {(one.mode, one.size) for one in found} == {("RGB", (SIDE, SIDE))}
    assert len({one.tobytes() for one in found}) == len(found)


def test_a_seed_cuts_the_same_squares_again():
    again = squares.__wrapped__(0)
    assert all(np.array_equal(one, other) for one, other in zip(squares(), again, strict=True))
    assert squares.__wrapped__(1)[0].tobytes() != squares()[0].tobytes()


def test_the_hash_tells_another_photograph_and_another_way_of_cutting(
    monkeypatch: pytest.MonkeyPatch,
):
    before = squares_hash()
    assert squares_hash.__wrapped__() == before
    with monkeypatch.context() as patch:
        patch.setattr(pictures, "SIDE", 2 * SIDE)
        assert squares_hash.__wrapped__() != before
    monkeypatch.setattr(pictures, "photograph", lambda name: photograph(name).rotate(1))
    assert squares_hash.__wrapped__() != before
