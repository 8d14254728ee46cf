"""Pointing and mass on maps small enough to work out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.explain.attribution.localization import (
    centres_inside,
    mask_iou,
    mass_inside,
    patch_cover,
    pointing,
)

OBJECT = np.array([[1.0, 0.6, 0.0], [0.4, 0.0, 0.0]], dtype=np.float32)


def evidence(*rows: list[float]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


@pytest.mark.parametrize(
    ("given", "hit"),
    [
        (evidence([9, 1, 1], [1, 1, 1]), 1.0),
        (evidence([1, 9, 1], [1, 1, 1]), 1.0),  # the object covers most of that patch
        (evidence([1, 1, 1], [9, 1, 1]), 0.0),  # and less than half of that one
        (evidence([9, 1, 1], [1, 1, 9]), 0.5),
        (evidence([1, 1, 1], [1, 1, 1]), 2 / 6),
        (evidence([-1, -9, -9], [-9, -9, -9]), 1.0),  # the least negative one
    ],
)
def test_pointing(given, hit):
    assert pointing(given, OBJECT) == pytest.approx(hit)


def test_mass_counts_positive_evidence_alone():
    assert mass_inside(evidence([3, -5, 1], [0, -1, 0]), OBJECT) == pytest.approx(3 / 4)
    assert mass_inside(evidence([0, 1, 1], [2, 0, 0]), OBJECT) == pytest.approx(
        (1 * 0.6 + 2 * 0.4) / 4
    )


def test_a_border_counts_on_neither_side():
    counted = np.array([[1.0, 1.0, 1.0], [0.4, 1.0, 1.0]], dtype=np.float32)
    found = mass_inside(evidence([1, 0, 1], [10, 0, 0]), OBJECT, counted)
    assert found == pytest.approx((1 + 10 * 0.4) / (1 + 1 + 10 * 0.4))


@pytest.mark.parametrize("value", [0.0, -1.0, 1.0])
def test_a_map_that_says_nothing_scores_the_masks_own_share(value: float):
    assert mass_inside(np.full((2, 3), value, dtype=np.float32), OBJECT) == pytest.approx(2 / 6)


@given(arrays(np.float32, (2, 3), elements=st.integers(-5, 5).map(float)))
def test_both_sides_of_a_mask_share_all_the_mass(values):
    assert mass_inside(values, OBJECT) + mass_inside(values, 1 - OBJECT) == pytest.approx(
        1, abs=1e-6
    )


def test_nothing_that_counts_is_a_bug():
    with pytest.raises(ValueError, match="counts"):
        mass_inside(evidence([1, 1, 1], [1, 1, 1]), OBJECT, np.zeros_like(OBJECT))


def test_a_patch_is_inside_where_its_centre_is():
    # centres of four columns at 1/8, 3/8, 5/8, 7/8; of two rows at 1/4, 3/4
    found = centres_inside((0.5, 0.25, 0.3, 0.1), rows=2, columns=4)
    assert found.tolist() == [[False, True, True, False], [False] * 4]
    assert centres_inside((0.5, 0.5, 1, 1), 2, 4).all()


def test_overlap_by_hand():
    """Above the mean ¼: two patches. They cover 1 + 0 of a mask of 2, so 1 of 2 + 2 − 1."""
    assert mask_iou(evidence([0.5, 0, 0.5, 0]), evidence([1, 1, 0, 0])) == pytest.approx(1 / 3)
    assert mask_iou(evidence([0.9, 0.1, 0, 0]), evidence([1, 0, 0, 0])) == 1
    assert mask_iou(evidence([0.9, 0.1, 0, 0]), evidence([0.25, 0, 0.75, 0])) == pytest.approx(
        0.25 / (1 + 1 - 0.25)
    )
    assert mask_iou(evidence([1, 1, 1, 1]), evidence([1, 0, 0, 0])) == 0.25  # all, or none
    assert mask_iou(evidence([-1, -3, -3, -3]), evidence([0, 1, 0, 0])) == 0
    with pytest.raises(ValueError, match="empty"):
        mask_iou(evidence([1, 0, 0, 0]), evidence([0, 0, 0, 0]))


@given(arrays(np.float32, (3, 4), elements=st.floats(-2, 2, width=32)))
def test_overlap_is_one_for_the_map_s_own_object_and_never_beyond(values: np.ndarray):
    own = (values > values.mean()).astype(np.float32)
    if own.any():
        assert mask_iou(values, own) == 1
        assert 0 <= mask_iou(values, 1 - own * 0.5) <= 1


def test_a_patch_s_cover_is_the_mean_of_its_pixels():
    mask = np.zeros((4, 6), dtype=np.float32)
    mask[:2, :1] = mask[3, 5] = 1
    np.testing.assert_array_equal(patch_cover(mask, 2, 3), [[0.5, 0, 0], [0, 0, 0.25]])
