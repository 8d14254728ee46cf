"""Probabilities, ranks and entropy, worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.predictions.token_distribution import token_distribution


def logits(*probabilities: float) -> np.ndarray:
    return np.log(np.array(probabilities, dtype=np.float32)) + np.float32(7)  # any constant


def test_a_distribution_worked_by_hand():
    found = token_distribution(logits(0.5, 0.25, 0.125, 0.125))
    assert found.probability(1) == pytest.approx(0.25, rel=1e-5)
    assert found.loss(0) == pytest.approx(np.log(2), rel=1e-5)
    assert found.entropy == pytest.approx(1.75, rel=1e-5)  # 0.5·1 + 0.25·2 + 2 · 0.125·3
    assert [found.rank(token) for token in range(4)] == [1, 2, 3, 3]
    assert found.top(3) == (0, 1, 2)


def test_a_sure_and_a_clueless_model():
    assert token_distribution(np.array([100, 0, 0], np.float32)).entropy == pytest.approx(0)
    even = token_distribution(np.zeros(1024, np.float32))
    assert even.entropy == pytest.approx(10, rel=1e-5)
    assert even.rank(1023) == 1


def test_impossible_tokens_and_huge_logits_stay_finite():
    found = token_distribution(np.array([3e38, 3e38, -np.inf], np.float32))
    assert found.probability(0) == pytest.approx(0.5)
    assert found.probability(2) == 0
    assert found.entropy == pytest.approx(1)


@given(st.lists(st.floats(-50, 50, width=32), min_size=1, max_size=40))
def test_probabilities_sum_to_one_and_ranks_follow_them(values: list[float]):
    found = token_distribution(np.array(values, np.float32))
    p = np.exp(found.log_probabilities.astype(np.float64))
    assert p.sum() == pytest.approx(1, abs=1e-5)
    assert 0 <= found.entropy <= np.log2(len(values)) + 1e-4
    ranks = [found.rank(token) for token in found.top(len(values))]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
