"""Queries and keys in one plane: attention stays what it was, and flat clouds lose nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.attention.query_key_map import align_keys, query_key_map


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def clouds(seed: int, width: int = 8) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    queries = random.normal(3, 2, (7, width)).astype(np.float32)
    return queries, random.normal(-1, 0.3, (5, width)).astype(np.float32)


@given(seed=st.integers(0, 1000))
def test_attention_stays_and_both_clouds_share_their_middle_and_their_size(seed: int):
    queries, keys = clouds(seed)
    q, k = align_keys(queries, keys, 0.35)
    np.testing.assert_allclose(softmax(q @ k.T), softmax(0.35 * queries @ keys.T), atol=1e-5)
    np.testing.assert_allclose(q.mean(axis=0), k.mean(axis=0), atol=1e-9)
    spreads = [((one - one.mean(axis=0)) ** 2).sum() / len(one) for one in (q, k)]
    assert spreads[0] == pytest.approx(spreads[1])


def test_what_lies_in_a_plane_keeps_every_distance():
    """Two dimensions are all that two-dimensional heads have."""
    queries, keys = clouds(1, width=2)
    found = query_key_map(queries, keys, 1.0)
    q, k = align_keys(queries, keys, 1.0)
    expected = np.linalg.norm(q[:, None] - k[None], axis=2)
    np.testing.assert_allclose(found.distances, expected, rtol=1e-4)
    assert found.share == pytest.approx(1)


def test_the_share_is_that_of_the_covariances_two_largest_eigenvalues():
    queries, keys = clouds(2)
    both = np.concatenate(align_keys(queries, keys, 0.5))
    values = np.linalg.eigvalsh(np.cov(both.T))[::-1]
    found = query_key_map(queries, keys, 0.5)
    assert found.share == pytest.approx(values[:2].sum() / values.sum())
    points = np.concatenate([found.queries, found.keys])
    np.testing.assert_allclose(points.var(axis=0, ddof=1), values[:2], rtol=1e-4)


def test_clouds_without_any_width():
    """One token alone, and heads of one number."""
    one = np.ones((1, 4), dtype=np.float32)
    found = query_key_map(one, one, 0.5)
    np.testing.assert_array_equal(found.queries, np.zeros((1, 2)))
    assert found.share == 1
    thin = query_key_map(np.float32([[1], [2]]), np.float32([[3], [5]]), 1.0)
    np.testing.assert_array_equal(thin.queries[:, 1], [0, 0])
