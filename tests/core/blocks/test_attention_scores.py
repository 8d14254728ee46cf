"""Additive scores: by hand, bounded, and as expensive as counted."""

import numpy as np
import pytest

from core.blocks.attention_scores import (
    AdditiveScore,
    growing_key,
    largest_weights,
    multiplications,
    random_additive_score,
    scaled_dots,
)


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


def test_no_direction_is_steeper():
    score = random_additive_score(6, hidden=32, seed=1)
    query = np.random.default_rng(2).normal(size=6).astype(np.float32)
    others = np.random.default_rng(3).normal(size=(500, 6)).astype(np.float32)
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    small = np.float32(1e-2)
    best = score.scores(query[None], small * score.steepest(query)[None])
    assert best[0, 0] > score.scores(query[None], small * others).max()


def test_random_parameters_have_glorots_variance():
    score = random_additive_score(200, hidden=300, seed=0)
    assert score.query.var() == pytest.approx(2 / 500, rel=0.05)
    assert score.direction.var() == pytest.approx(2 / 301, rel=0.3)


def test_multiplications_by_hand():
    """2 queries, 3 keys, d_k 4, hidden 5: 24; (2 + 3)·4·5 + 2·3·5 = 130."""
    assert multiplications(2, 3, 4, hidden=5) == (24, 130)


def test_only_the_bare_dot_product_saturates_with_width():
    narrow = largest_weights(2, n_keys=16, hidden=64, seed=0)
    wide = largest_weights(1024, n_keys=16, hidden=64, seed=0)
    assert wide[0] > 0.9 > narrow[0]
    assert max(wide[1:]) < 0.4


def test_a_growing_keys_scores():
    score = random_additive_score(4, hidden=3, seed=1)
    found = growing_key(score, np.array([-1.0, 0.0, 2.0]))
    np.testing.assert_allclose(found.dots, [-2, 0, 4], atol=1e-6)  # ‖1‖ = 2
    np.testing.assert_allclose(found.scaled, [-1, 0, 2], atol=1e-6)
    assert found.additive[0] < found.additive[1] < found.additive[2] < score.bound


def test_scaled_dots_by_hand():
    queries = np.array([[1, 2, 3, 4]], dtype=np.float32)
    assert scaled_dots(queries, np.ones((1, 4), dtype=np.float32)).tolist() == [[5]]
