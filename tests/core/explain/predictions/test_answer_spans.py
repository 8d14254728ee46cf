"""The best span, worked by hand and against trying all of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.explain.predictions.answer_spans import span_scores


def test_a_span_that_ends_before_it_begins_is_not_an_answer():
    start = np.array([1, 0, 3], np.float32)
    end = np.array([4, 1, 2], np.float32)
    found = span_scores(start, end)
    assert found.unrestricted == (2, 0)  # 3 + 4, backwards
    assert found.best == (0, 0)  # 1 + 4 beats 3 + 2? both are 5: the first wins
    assert found.scores[2, 2] == 5
    assert found.allowed.tolist() == [[True, True, True], [False, True, True], [False, False, True]]


def test_a_limit_on_the_length():
    start, end = np.array([5, 0, 0], np.float32), np.array([0, 0, 5], np.float32)
    assert span_scores(start, end).best == (0, 2)
    # (0, 0), (0, 1), (1, 2) and (2, 2) all score 5: the first wins
    assert span_scores(start, end, longest=2).best == (0, 0)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=8))
def test_nothing_allowed_scores_higher(pairs: list[tuple[int, int]]):
    start, end = (np.array(column, np.float32) for column in zip(*pairs, strict=True))
    i, j = span_scores(start, end).best
    assert i <= j
    everything = [start[a] + end[b] for a in range(len(start)) for b in range(a, len(start))]
    assert start[i] + end[j] == max(everything)
