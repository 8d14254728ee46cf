"""Bootstrap intervals: exact where nothing varies, near the theory where it is known."""

import numpy as np
import pytest

from core.explain.attribution.bootstrap import (
    difference_intervals,
    mean_intervals,
    mean_intervals_together,
    ratio_intervals,
)


def test_what_does_not_vary_has_no_width():
    (found,) = mean_intervals(np.full((7, 1), 0.25))
    assert (found.mean, found.low, found.high) == (0.25, 0.25, 0.25)


def test_the_interval_of_a_mean_is_two_standard_errors_each_way():
    values = np.random.default_rng(1).normal(size=(400, 1))
    (found,) = mean_intervals(values)
    error = values.std() / np.sqrt(len(values))
    assert found.mean == pytest.approx(values.mean())
    assert found.high - found.mean == pytest.approx(1.96 * error, rel=0.1)
    assert found.mean - found.low == pytest.approx(1.96 * error, rel=0.1)


def test_scipys_percentile_bootstrap_agrees():
    from scipy.stats import bootstrap

    values = np.random.default_rng(2).exponential(size=60)
    (ours,) = mean_intervals(values[:, None], resamples=20_000)
    theirs = bootstrap(
        (values,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(3)
    ).confidence_interval
    assert ours.low == pytest.approx(theirs.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.high, abs=0.02)


def test_pairing_cancels_what_two_methods_share():
    rng = np.random.default_rng(4)
    easy = rng.normal(scale=10, size=80)
    values = np.stack([easy, easy + 1 + rng.normal(scale=0.1, size=80)], axis=1)
    alone = mean_intervals(values)
    zero, better = difference_intervals(values, 0)
    assert (zero.mean, zero.low, zero.high) == (0, 0, 0)
    assert not zero.excludes_zero
    assert better.excludes_zero
    assert better.mean == pytest.approx(1, abs=0.05)
    assert better.high - better.low < 0.1
    assert alone[1].high - alone[1].low > 3


def test_the_seed_fixes_it_and_no_pictures_are_refused():
    values = np.random.default_rng(5).normal(size=(20, 3))
    assert mean_intervals(values, seed=1) == mean_intervals(values, seed=1)
    assert mean_intervals(values, seed=1) != mean_intervals(values, seed=2)
    with pytest.raises(ValueError, match="no pictures"):
        mean_intervals(np.zeros((0, 2)))


def test_cases_are_drawn_by_the_picture_that_brings_them():
    """One picture of three cases, all found, and one of a case, not found: 3/4, 1 or 0."""
    (found,) = ratio_intervals(np.array([[3.0], [0.0]]), np.array([3.0, 1.0]))
    assert (found.mean, found.low, found.high) == (0.75, 0, 1)
    values, ones = np.random.default_rng(0).random((9, 2)), np.ones(9)
    assert ratio_intervals(values, ones) == mean_intervals(values)


def test_groups_together_get_the_intervals_that_they_get_apart():
    random = np.random.default_rng(5)
    groups = [random.normal(size=shape) for shape in ((6, 2), (9, 1), (6, 3), (0, 4))]
    found = mean_intervals_together(groups)
    assert found[3] == ()
    for together, group in zip(found[:3], groups, strict=False):
        for one, alone in zip(together, mean_intervals(group), strict=True):
            assert (one.mean, one.low, one.high) == pytest.approx(
                (alone.mean, alone.low, alone.high)
            )
