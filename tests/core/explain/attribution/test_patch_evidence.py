"""Readings of a map with both signs, by hand."""

import numpy as np
import pytest

from core.explain.attribution.patch_evidence import evidence_sums, patch_evidence

MAP = np.array([[3, -2, 0], [1, -6, 1]], dtype=np.float32)


def test_ranks_run_from_the_most_positive_and_equals_share_the_better_one():
    assert [one.rank for one in patch_evidence(MAP)] == [1, 5, 4, 2, 6, 2]


def test_a_share_is_of_its_own_signs_sum():
    shares = [one.share for one in patch_evidence(MAP)]
    assert shares == pytest.approx([0.6, 0.25, 0, 0.2, 0.75, 0.2])


def test_sums_of_both_signs():
    found = evidence_sums(MAP)
    assert (found.positive, found.negative, found.together) == (5, -8, -3)
    assert (found.n_positive, found.n_negative) == (3, 2)


def test_a_map_of_zeros_says_nothing():
    assert {one.share for one in patch_evidence(np.zeros((2, 2), dtype=np.float32))} == {0.0}
