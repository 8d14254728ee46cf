"""How far an answer moved, by hand."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.explain.attribution.answer_shift import class_ranks, moved_mass, union_of_top

BEFORE = np.array([0.5, 0.3, 0.1, 0.06, 0.04], dtype=np.float32)
AFTER = np.array([0.1, 0.3, 0.05, 0.2, 0.35], dtype=np.float32)


def test_moved_mass_is_half_the_sum_of_differences():
    np.testing.assert_allclose(moved_mass(BEFORE, AFTER), (0.4 + 0 + 0.05 + 0.14 + 0.31) / 2)
    assert moved_mass(BEFORE, BEFORE) == 0
    one, other = np.eye(2, dtype=np.float32)
    assert moved_mass(one, other) == 1


@given(st.data())
@settings(max_examples=30)
def test_it_is_what_the_winners_gain(data):
    logits = arrays(np.float32, 6, elements=st.floats(-4, 4, width=32))
    before, after = (np.exp(data.draw(logits)) for _ in range(2))
    before, after = before / before.sum(), after / after.sum()
    gained = np.maximum(after - before, 0).sum()
    np.testing.assert_allclose(moved_mass(before, after), gained, atol=1e-6)
    assert moved_mass(before, after) == moved_mass(after, before)


def test_the_top_after_comes_first_then_who_fell_behind():
    assert union_of_top(BEFORE, AFTER, 2) == (4, 1, 0)  # 4 and 1 lead now; 0 led before
    assert union_of_top(BEFORE, BEFORE, 3) == (0, 1, 2)
    assert union_of_top(BEFORE, AFTER, 9) == (4, 1, 3, 0, 2)


def test_every_class_has_a_rank_of_its_own():
    assert class_ranks(np.array([0.1, 0.4, 0.1, 0.4], dtype=np.float32)).tolist() == [3, 1, 4, 2]
