"""Perturbation curves on maps whose right answer is known without running anything."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.explain.attribution.perturbation_curves import (
    FRACTIONS,
    Hidden,
    Perturbation,
    area,
    hidden_sets,
    mean_of_orders,
    perturb,
    ranking,
    word_fractions,
)

HALVES = np.array([0.0, 0.5, 1.0])
SQUARE = np.array([[3, 1], [2, 0]], dtype=np.float32)
maps = arrays(np.float32, (4, 5), elements=st.integers(-3, 3).map(float))


def planted(weights: np.ndarray):
    """A model whose answer is the sum of what is still to be seen."""

    def measure(variants: Sequence[Hidden]) -> np.ndarray:
        flat = weights.ravel()
        return np.array([flat.sum() - flat[list(hidden)].sum() for hidden in variants])

    return measure


def test_patches_are_hidden_in_the_order_of_their_evidence():
    assert ranking(SQUARE).tolist() == [0, 2, 1, 3]
    positive, negative = hidden_sets(SQUARE, HALVES)
    assert positive == ((), (0, 2), (0, 1, 2, 3))
    assert negative == ((), (1, 3), (0, 1, 2, 3))


def test_curves_and_areas_worked_by_hand():
    found = perturb(SQUARE, planted(np.array([[4.0, 0.0], [2.0, 2.0]])), fractions=HALVES)
    assert found.positive.tolist() == [8, 2, 0]
    assert found.negative.tolist() == [8, 6, 0]
    assert found.positive_area == pytest.approx((8 + 2) / 2 * 0.5 + (2 + 0) / 2 * 0.5)
    assert found.negative_area == pytest.approx((8 + 6) / 2 * 0.5 + (6 + 0) / 2 * 0.5)
    assert found.gap == pytest.approx(2)


def test_the_protocols_area_is_nine_tenths_of_an_answer_that_never_falls():
    assert FRACTIONS[0] == 0
    assert FRACTIONS[-1] == pytest.approx(0.9)
    assert area(FRACTIONS, np.ones(10)) == pytest.approx(0.9)


@given(maps, st.integers(0, 99))
def test_a_model_that_ignores_the_picture_gives_every_map_equal_areas(evidence, seed):
    found = perturb(evidence, lambda variants: np.full(len(variants), 0.7), seed=seed)
    assert found.gap == 0
    assert found.positive_area == pytest.approx(0.63)


@given(maps, st.integers(0, 99))
def test_both_curves_begin_whole_and_meet_when_all_is_hidden(evidence, seed):
    found = perturb(evidence, planted(np.abs(evidence)), fractions=HALVES, seed=seed)
    assert found.positive[0] == found.negative[0]
    assert found.positive[-1] == found.negative[-1]


@given(maps, st.integers(0, 99))
def test_more_relevant_patches_are_never_hidden_after_less_relevant_ones(evidence, seed):
    ranked = evidence.ravel()[ranking(evidence, seed=seed)]
    assert (np.diff(ranked) <= 0).all()


def test_the_oracle_beats_random_and_random_its_reverse():
    weights = np.zeros((6, 6))
    weights[2:4, 1:4] = 1.0
    measure = planted(weights)
    oracle = weights.astype(np.float32)
    lots = np.random.default_rng(0).random((6, 6)).astype(np.float32)
    gaps = [perturb(one, measure).gap for one in (oracle, lots, -oracle)]
    assert gaps[0] > gaps[1] + 1
    assert gaps[1] > gaps[2] + 1
    assert gaps[2] == pytest.approx(-gaps[0])


def test_ties_fall_by_the_seed_and_not_from_the_top():
    flat = np.zeros((8, 8), dtype=np.float32)
    orders = [ranking(flat, seed=seed) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(orders[0], orders[1])
    assert orders[0].tolist() != orders[2].tolist()
    means = [ranking(flat, seed=seed)[:32].mean() for seed in range(200)]
    assert np.mean(means) == pytest.approx(31.5, abs=1)


def test_each_set_of_hidden_patches_is_measured_once():
    asked: list[Hidden] = []

    def measure(variants: Sequence[Hidden]) -> np.ndarray:
        asked.extend(variants)
        return np.ones(len(variants))

    perturb(SQUARE, measure, fractions=HALVES)
    assert sorted(asked) == [(), (0, 1, 2, 3), (0, 2), (1, 3)]


def test_what_is_no_evidence_is_refused():
    with pytest.raises(ValueError, match="not finite"):
        ranking(np.array([[np.nan, 1.0]], dtype=np.float32))
    with pytest.raises(ValueError, match="not one number"):
        perturb(SQUARE, lambda _: np.ones(1))


def test_a_random_orders_two_ends_are_equally_random():
    steps = np.linspace(0, 1, 11)
    one = Perturbation(steps, positive=np.linspace(1, 0, 11), negative=np.linspace(1, 0.5, 11))
    mean = mean_of_orders([one, one])
    np.testing.assert_allclose(mean.positive, np.linspace(1, 0.25, 11))
    assert mean.gap == 0


def test_of_a_text_each_step_hides_one_word_more_and_of_a_long_one_a_tenth():
    assert word_fractions(4).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert word_fractions(20)[1] == 0.05
    assert word_fractions(200).tolist() == pytest.approx(np.linspace(0, 1, 11).tolist())
    evidence = np.array([3.0, -1.0, 2.0, 0.0])
    most, least = hidden_sets(evidence, word_fractions(4))
    assert most == ((), (0,), (0, 2), (0, 2, 3), (0, 1, 2, 3))
    assert least == ((), (1,), (1, 3), (1, 2, 3), (0, 1, 2, 3))
