"""Spearman's rank correlation of maps, by hand."""

import numpy as np
import pytest

from core.explain.attribution.rank_correlation import chance_correlation, rank_correlation

FIRST = np.array([[1, 2], [3, 4]], dtype=np.float32)


def test_only_ranks_count():
    assert rank_correlation(FIRST, np.exp(FIRST)) == pytest.approx(1)
    assert rank_correlation(FIRST, -FIRST) == pytest.approx(-1)


def test_one_exchange_of_neighbours_by_hand():
    swapped = np.array([[2, 1], [3, 4]], dtype=np.float32)
    assert rank_correlation(FIRST, swapped) == pytest.approx(1 - 6 * 2 / (4 * 15))


def test_ties_share_their_mean_rank():
    tied = np.array([[1, 1], [3, 4]], dtype=np.float32)
    ranks = np.array([1.5, 1.5, 3, 4])
    expected = np.corrcoef(ranks, [1, 2, 3, 4])[0, 1]
    assert rank_correlation(FIRST, tied) == pytest.approx(expected)


def test_a_flat_map_has_no_ranks():
    assert np.isnan(rank_correlation(FIRST, np.zeros_like(FIRST)))


def test_scipys_spearman_agrees():
    from scipy.stats import spearmanr

    rng = np.random.default_rng(0)
    maps = rng.integers(0, 9, size=(2, 6, 7)).astype(np.float32)
    expected = spearmanr(maps[0].ravel(), maps[1].ravel()).statistic
    assert rank_correlation(*maps) == pytest.approx(expected)


def test_rows_of_attention_with_ties_are_ranked_as_maps_are():
    rows = np.array([[0.5, 0.2, 0.2, 0.1], [0.4, 0.3, 0.1, 0.2]], dtype=np.float32)
    # ranks 4, 2.5, 2.5, 1 and 4, 3, 1, 2: covariance 3, variances 4.5 and 5
    assert rank_correlation(rows[0], rows[1]) == pytest.approx(3 / np.sqrt(4.5 * 5))


@pytest.mark.parametrize("size", [16, 64, 196])
def test_chance_is_what_random_orders_share(size: int):
    """0.14 for 196 patches; of 2000 pairs of random maps 5 % are beyond, give or take."""
    source = np.random.default_rng(size)
    still = np.arange(size, dtype=np.float64)
    found = [rank_correlation(still, source.permutation(still)) for _ in range(2000)]
    limit = chance_correlation(size)
    assert 0.035 < np.mean(np.abs(found) > limit) < 0.065
    assert chance_correlation(197) == pytest.approx(1.959964 / 14)
    assert chance_correlation(1) == chance_correlation(2) == 1
