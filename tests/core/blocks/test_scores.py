"""Additive scores: by hand, bounded, and as expensive as counted."""

import numpy as np
import pytest

from core.blocks.scores import AdditiveScore, multiplications, random_additive_score


def test_one_hidden_unit_by_hand():
    one = np.ones((1, 1), dtype=np.float32)
    score = AdditiveScore(query=2 * one, key=one, direction=3 * one[0])
    found = score.scores(np.array([[0.5]], np.float32), np.array([[-1], [1]], np.float32))
    np.testing.assert_allclose(found, [[0, 3 * np.tanh(2)]], rtol=1e-6)
    assert score.bound == 3


def test_no_key_however_long_leaves_the_bound():
    score = random_additive_score(8, hidden=16, seed=3)
    random = np.random.default_rng(0)
    keys = (1e4 * random.normal(size=(50, 8))).astype(np.float32)
    found = score.scores(keys[:5], keys)
    assert np.abs(found).max() <= score.bound * (1 + 1e-6)
    assert np.abs(keys[:5] @ keys.T).max() > 1e6


def test_random_parameters_have_glorots_variance():
    score = random_additive_score(200, hidden=300, seed=0)
    assert score.query.var() == pytest.approx(2 / 500, rel=0.05)
    assert score.direction.var() == pytest.approx(2 / 301, rel=0.3)


def test_multiplications_by_hand():
    """2 queries, 3 keys, d_k 4, hidden 5: 24; (2 + 3)·4·5 + 2·3·5 = 130."""
    assert multiplications(2, 3, 4, hidden=5) == (24, 130)
