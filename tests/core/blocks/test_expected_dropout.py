"""Coins that keep x with probability Φ(x) average to GELU, not to its mirror image."""

import numpy as np

from core.blocks.activations import gelu
from core.blocks.expected_dropout import Simulation, dropped_with_cdf, simulate

X = np.linspace(-4, 4, 81)


def test_the_mean_is_gelu_within_its_error():
    run = simulate(X, tosses=20_000, seed=0)
    assert np.abs(run.mean - gelu(X)).max() < 5 * run.error.max()
    inside = np.abs(run.mean - gelu(X)) <= 2 * run.error + 1e-12
    assert inside.mean() > 0.9


def test_large_inputs_are_kept_and_small_ones_dropped():
    run = simulate(np.array([-5.0, 5.0]), tosses=1000, seed=1)
    assert run.kept.tolist() == [0, 1]
    assert run.mean.tolist() == [0, 5]


def test_four_times_the_tosses_halve_the_error():
    few, many = simulate(X, tosses=100, seed=0), simulate(X, tosses=400, seed=0)
    np.testing.assert_allclose(few.error, 2 * many.error)


def test_one_toss_keeps_or_drops():
    run = simulate(X, tosses=1, seed=2)
    assert set(run.kept.tolist()) == {0, 1}


def test_the_share_within_two_errors_leaves_out_what_is_certain():
    x = np.array([0.0, 1.0, 1.0])
    exact = gelu(x)
    mean = exact + np.array([0.0, 0.1, 0.3])
    run = Simulation(x, kept=mean, mean=mean, error=np.array([0.0, 0.1, 0.1]))
    np.testing.assert_allclose(run.distance, [0, 0.1, 0.3])
    assert run.share_within(2) == 0.5


def test_dropping_with_the_same_probability_is_not_gelu():
    x = np.linspace(-3, 3, 7)
    np.testing.assert_allclose(dropped_with_cdf(x) + gelu(x), x)
