"""softmax(s / λ) maximises ⟨p, s⟩ + λ H(p): found by climbing, and never beaten."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blocks.softmax_as_optimum import (
    ascend,
    best_of,
    divergence,
    landscape,
    objective,
    optima,
    optimum,
    perturbed,
    random_distributions,
)

SCORES = st.lists(st.floats(-5, 5), min_size=3, max_size=6).map(np.array)
STRENGTHS = st.floats(0.2, 5)


def test_by_hand():
    """Scores 0 and log 3, λ = 1: p = (¼, ¾), value log 4."""
    p, value = optimum(np.array([0, np.log(3)]), 1.0)
    np.testing.assert_allclose(p, [0.25, 0.75])
    assert value == pytest.approx(np.log(4))
    assert objective(p[None], np.array([0, np.log(3)]), 1.0)[0] == pytest.approx(np.log(4))


@given(SCORES, st.lists(STRENGTHS, min_size=1, max_size=5))
def test_all_strengths_at_once(scores: np.ndarray, strengths: list[float]):
    apart = [optimum(scores, strength)[0] for strength in strengths]
    np.testing.assert_allclose(optima(scores, np.array(strengths)), apart, rtol=1e-12)


@given(SCORES, STRENGTHS, st.integers(0, 99))
def test_no_other_distribution_does_better(scores: np.ndarray, strength: float, seed: int):
    best, value = optimum(scores, strength)
    others = random_distributions(len(scores), count=200, seed=seed)
    near = perturbed(best, size=1e-3, count=50, seed=seed)
    for tried in (others, near):
        np.testing.assert_allclose(tried.sum(axis=1), 1)
        assert tried.min() >= -1e-15
        assert objective(tried, scores, strength).max() <= value + 1e-9


@given(SCORES, STRENGTHS, st.integers(0, 99))
def test_the_shortfall_is_a_divergence(scores: np.ndarray, strength: float, seed: int):
    best, value = optimum(scores, strength)
    other = random_distributions(len(scores), count=20, seed=seed)
    divergence = (other * np.log(other / best)).sum(axis=1)
    shortfall = value - objective(other, scores, strength)
    np.testing.assert_allclose(shortfall, strength * divergence, atol=1e-9)


@pytest.mark.parametrize("strength", [0.3, 1.0, 4.0])
def test_an_optimiser_that_knows_no_softmax_finds_it(strength: float):
    scores = np.array([1.0, 0.2, -1.3, 0.9])
    ascent = ascend(scores, strength)
    best, value = optimum(scores, strength)
    np.testing.assert_allclose(ascent.path[-1], best, atol=1e-7)
    assert ascent.values[-1] == pytest.approx(value, abs=1e-12)
    assert (np.diff(ascent.values) > 0).all()


def test_a_corner_has_entropy_zero():
    assert objective(np.array([[1.0, 0.0]]), np.array([2.0, 7.0]), 3.0).tolist() == [2]


def test_the_divergence_is_scipys_with_zeros_too():
    p, best = np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.25, 0.5])
    assert divergence(p, best) == pytest.approx(np.log(2))
    assert divergence(best, best) == 0


def test_the_landscape_is_the_objective_on_the_triangle():
    scores = np.array([1.0, 0.5, -1.0])
    found = landscape(scores, 0.7, side=5)
    assert found.x.tolist() == [0, 0.25, 0.5, 0.75, 1]
    np.testing.assert_allclose([found.values[0, 0], found.values[0, -1]], scores[:2])  # corners
    assert found.values[-1, 2] == pytest.approx(scores[2])  # the third, on top
    assert np.isnan(found.values[-1, 0])
    assert found.values[0, 2] == pytest.approx(0.75 + 0.7 * np.log(2))  # halfway from p1 to p2


def test_the_best_candidate_and_its_value():
    scores = np.array([0.0, 2.0, 1.0])
    best, value = best_of(np.eye(3), scores, 1.0)
    assert (best.tolist(), value) == ([0, 1, 0], 2.0)
