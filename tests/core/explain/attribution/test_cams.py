"""CAMs worked by hand on one row of two patches with two features, and what they share.

a = [[3, 1], [1, 2]]      g = [[2, −3], [0, −1]]      sums over patches: a 4, 3; g 2, −4
"""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.attribution.cams import (
    eigencam,
    gradcam,
    gradcam_plus_plus,
    hirescam,
    layercam,
    xgradcam,
)

FEATURES = np.array([[[3, 1], [1, 2]]], dtype=np.float32)
SLOPES = np.array([[[2, -3], [0, -1]]], dtype=np.float32)
ALL = (gradcam, gradcam_plus_plus, xgradcam, layercam, hirescam, eigencam)
SEEDS = st.integers(0, 10_000)


def drawn(seed: int, *, positive: bool = False) -> tuple[np.ndarray, np.ndarray]:
    source = np.random.default_rng(seed)
    made = source.normal(size=(2, 3, 4, 5)).astype(np.float32)
    return (np.abs(made[0]), made[1]) if positive else (made[0], made[1])


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (gradcam, [1, 0]),  # w = [1, −2]: 3 − 2 = 1; 1 − 4 < 0
        # slopes above zero: 2 alone; α = 4 ÷ (8 + 4·8) = 0.1, w = [0.2, 0]
        (gradcam_plus_plus, [0.6, 0.2]),
        # w₀ = (3·2 + 1·0) ÷ 4 = 1.5; w₁ = (1·−3 + 2·−1) ÷ 3 = −5/3: 4.5 − 5/3; 1.5 − 10/3 < 0
        (xgradcam, [4.5 - 5 / 3, 0]),
        (layercam, [6, 0]),  # 2·3; no slope is above zero
        (hirescam, [3, 0]),  # 2·3 − 3·1; −1·2 < 0
    ],
)
def test_by_hand(rule: Callable[..., np.ndarray], expected: list[float]):
    np.testing.assert_allclose(rule(FEATURES, SLOPES), [expected], rtol=1e-6)


def test_eigencam_by_hand():
    """Rows [2, 0] and [0, 1]: v₁ is the first feature, whatever its sign."""
    features = np.array([[[2, 0], [0, 1]]], dtype=np.float32)
    np.testing.assert_allclose(eigencam(features, SLOPES), [[2, 0]], atol=1e-6)
    np.testing.assert_allclose(eigencam(-features, SLOPES), [[2, 0]], atol=1e-6)


@given(seed=SEEDS)
def test_one_slope_for_all_patches_makes_three_of_them_one(seed: int):
    """A mean and a linear layer right behind the features: Draelos & Carin's case."""
    features, slopes = drawn(seed)
    same = np.broadcast_to(slopes[0, 0], slopes.shape)
    whole = np.abs(features).sum() * np.abs(same).max()
    for rule in (xgradcam, hirescam):
        np.testing.assert_allclose(rule(features, same), gradcam(features, same), atol=1e-4 * whole)


@given(seed=SEEDS)
def test_where_no_slope_is_negative_layercam_is_hirescam(seed: int):
    features, slopes = drawn(seed)
    np.testing.assert_array_equal(
        layercam(features, np.abs(slopes)), hirescam(features, np.abs(slopes))
    )


@given(seed=SEEDS)
def test_xgradcam_and_hirescam_share_out_one_sum(seed: int):
    """Fu et al.'s conservation: with features above zero the map of [+slopes] sums to Σ g·a."""
    features, slopes = drawn(seed, positive=True)
    slopes = np.abs(slopes)  # nothing is cut off
    total = float((features * slopes).sum())
    assert float(xgradcam(features, slopes).sum()) == pytest.approx(total, rel=1e-4)
    assert float(hirescam(features, slopes).sum()) == pytest.approx(total, rel=1e-4)


@given(seed=SEEDS)
def test_they_differ_on_features_of_both_signs(seed: int):
    features, slopes = drawn(seed)
    maps = [rule(features, slopes) for rule in ALL]
    assert all(map_.dtype == np.float32 and map_.min() >= 0 for map_ in maps)
    for number, one in enumerate(maps):
        for other in maps[:number]:
            assert not np.array_equal(one, other) or not one.any()


def test_a_feature_without_a_sum_and_a_slope_of_zero_give_no_nan():
    features = np.array([[[1.0], [-1.0]]], dtype=np.float32)
    assert xgradcam(features, np.ones_like(features)).tolist() == [[0, 0]]
    assert gradcam_plus_plus(features, np.zeros_like(features)).tolist() == [[0, 0]]
