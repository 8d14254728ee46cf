import numpy as np
import pytest

from core.explain.embeddings.norm_outliers import (
    deviations_from_median,
    norm_outliers,
    outlier_threshold,
    token_norms,
)


def test_lengths_by_hand():
    states = np.float32([[3, 4], [0, 0], [-5, 12]])
    np.testing.assert_array_equal(token_norms(states), np.float32([5, 0, 13]))


def test_the_threshold_is_six_deviations_above_the_median():
    norms = np.float32([9, 10, 11, 12, 100])  # median 11, deviations 2 1 0 1 89: median 1
    assert outlier_threshold(norms) == pytest.approx(17)
    assert norm_outliers(norms).tolist() == [False, False, False, False, True]
    assert not norm_outliers(norms, 100.0).any()


def test_equal_lengths_have_no_outlier():
    assert not norm_outliers(np.ones(7, np.float32)).any()


def test_deviations_are_counted_from_the_median_in_median_absolute_deviations():
    norms = np.array(
        [[1, 2], [3, 10], [4, 0]], dtype=np.float32
    )  # median 2.5; |…| 1.5 ½ ½ 7.5 1.5 2.5
    found = deviations_from_median(norms)  # … their median 1.5
    np.testing.assert_allclose(found, [[-1, -1 / 3], [1 / 3, 5], [1, -5 / 3]], rtol=1e-6)
    assert deviations_from_median(np.ones((2, 2), dtype=np.float32)).tolist() == [[0, 0], [0, 0]]
