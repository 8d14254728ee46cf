"""Colours of patches, worked by hand and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from core.explain.embeddings.patch_components import patch_components


def test_four_patches_by_hand():
    """±4 along x and ±2 along y: variances 32 and 8 of 40; the third direction has nothing."""
    states = np.array([[[5, 1, 7], [-3, 1, 7]], [[1, 3, 7], [1, -1, 7]]], dtype=np.float32)
    found = patch_components(states)
    np.testing.assert_allclose(found.explained, [0.8, 0.2, 0], atol=1e-6)
    np.testing.assert_allclose(np.abs(found.scores[..., 0]), [[4, 4], [0, 0]], atol=1e-5)
    np.testing.assert_allclose(np.abs(found.scores[..., 1]), [[0, 0], [2, 2]], atol=1e-5)
    np.testing.assert_array_equal(found.scores[..., 2], 0)
    assert sorted(found.colours[..., 0].ravel().tolist()) == [0, 128, 128, 255]
    assert set(found.colours[..., 2].ravel().tolist()) == {128}


@given(seed=st.integers(0, 1000))
def test_is_scikit_learns_pca_but_for_signs(seed: int):
    states = np.random.default_rng(seed).normal(size=(4, 5, 8)).astype(np.float32)
    found = patch_components(states)
    model = PCA(3, svd_solver="full").fit(states.reshape(-1, 8).astype(np.float64))
    expected = model.transform(states.reshape(-1, 8).astype(np.float64))
    mine = found.scores.reshape(-1, 3)
    np.testing.assert_allclose(np.abs(mine), np.abs(expected), atol=1e-4)
    np.testing.assert_allclose(found.explained, model.explained_variance_ratio_, atol=1e-5)
    assert all(mine[np.abs(mine[:, k]).argmax(), k] > 0 for k in range(3))


@given(seed=st.integers(0, 1000), turned=st.booleans())
def test_a_shift_and_another_sign_change_no_colour(seed: int, turned: bool):
    states = np.random.default_rng(seed).normal(size=(3, 4, 6)).astype(np.float32)
    other = (np.negative(states) if turned else states) + np.float32(3)
    once, again = patch_components(states), patch_components(other)
    flips = np.abs(once.scores + again.scores).max(axis=(0, 1)) < 1e-3
    same = np.abs(once.scores - again.scores).max(axis=(0, 1)) < 1e-3
    assert np.all(same if not turned else same | flips)
    np.testing.assert_allclose(once.explained, again.explained, atol=1e-5)


@pytest.mark.parametrize("shape", [(2, 2, 1), (1, 1, 8), (1, 2, 2)])
def test_fewer_directions_than_colours(shape: tuple[int, int, int]):
    states = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    found = patch_components(states)
    assert found.scores.shape == (*shape[:2], 3)
    assert np.all(np.isfinite(found.scores))
    assert found.colours.dtype == np.uint8
    assert float(found.explained.sum()) == pytest.approx(1.0 if states.size > shape[2] else 0.0)
