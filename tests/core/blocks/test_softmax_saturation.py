"""The variance of dot products, and the gradient of a softmax that is sure of itself."""

import numpy as np
import pytest
import torch

from core.blocks.softmax_saturation import jacobian_norm, random_dot_products, saturation
from core.trace import softmax


def test_the_variance_of_a_dot_product_is_its_width():
    drawn = random_dot_products((1, 4, 64, 256), n_queries=400, n_keys=16, seed=0)
    for d_k in (1, 4, 64, 256):
        assert saturation(drawn.of_width(d_k)).variance == pytest.approx(d_k, rel=0.15)
        scaled = drawn.of_width(d_k) / np.float32(np.sqrt(d_k))
        assert saturation(scaled).variance == pytest.approx(1, rel=0.15)


def test_wide_unscaled_scores_saturate_and_scaled_ones_do_not():
    drawn = random_dot_products((512,), n_queries=300, n_keys=16, seed=1)
    raw = saturation(drawn.of_width(512))
    scaled = saturation(drawn.of_width(512) / np.float32(np.sqrt(512)))
    assert raw.largest_weight > 0.9
    assert raw.gradient_norm < 0.1
    assert scaled.largest_weight < 0.35
    assert scaled.gradient_norm > 2 * raw.gradient_norm


def test_a_wider_width_continues_the_narrower_one():
    narrow = random_dot_products((2, 4), n_queries=5, n_keys=3, seed=7)
    wide = random_dot_products((2, 4, 8), n_queries=5, n_keys=3, seed=7)
    np.testing.assert_array_equal(wide.of_width(4), narrow.of_width(4))
    assert wide.dots.shape == (3, 5, 3)


def test_the_jacobians_norm_is_autograds():
    scores = np.array([[0.3, -1.0, 2.0, 0.1], [5, 0, 0, 0]], dtype=np.float32)
    for row, norm in zip(scores, jacobian_norm(softmax(scores)), strict=True):
        jacobian = torch.autograd.functional.jacobian(
            lambda s: torch.softmax(s, -1), torch.as_tensor(row)
        )
        assert norm == pytest.approx(float(jacobian.norm()), rel=1e-4)


def test_the_jacobian_by_hand():
    """Two even weights: [[¼, −¼], [−¼, ¼]], norm ½. One weight of 1: nothing moves."""
    weights = np.array([[0.5, 0.5], [1, 0]], dtype=np.float32)
    assert jacobian_norm(weights).tolist() == [0.5, 0]


def test_scaled_and_the_first_query_both_ways():
    drawn = random_dot_products((4, 16), n_queries=3, n_keys=5, seed=0)
    np.testing.assert_allclose(drawn.scaled(16), drawn.of_width(16) / 4)
    bare, scaled = drawn.first_weights(4)
    np.testing.assert_allclose(bare, softmax(drawn.of_width(4))[0], rtol=1e-6)
    np.testing.assert_allclose(scaled, softmax(drawn.of_width(4) / np.float32(2))[0], rtol=1e-6)
