"""The largest of many, against ordering them all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.explain.predictions.largest import largest

VALUES = st.lists(st.sampled_from((-np.inf, -2.5, 0.0, 1.0, 7.0)), min_size=1, max_size=30)


def test_by_hand_with_a_tie():
    assert largest(np.array([0.1, 0.7, 0.3, 0.7, 0.2]), 3) == [1, 3, 2]


@given(VALUES, st.integers(0, 40))
def test_as_ordering_them_all(values: list[float], count: int):
    numbers = np.array(values)
    assert largest(numbers, count) == np.argsort(-numbers, kind="stable")[:count].tolist()
