"""Self-attention repeated: hulls shrink, points meet."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.blocks.iterated_attention import (
    ARRANGEMENTS,
    attend,
    iterate,
    start,
)


def test_two_points_by_hand():
    """±1 on a line, λ = 1: weights e/(e + 1/e), so both move to ±tanh 1."""
    points = np.array([[1.0, 0.0], [-1.0, 0.0]])
    np.testing.assert_allclose(attend(points, 1.0), np.tanh(1) * points)


def test_it_is_torchs_attention_with_q_k_v_alike():
    points = start("scattered", n_points=7, seed=4)
    one = torch.as_tensor(points)[None]
    expected = torch.nn.functional.scaled_dot_product_attention(one, one, one, scale=1 / 0.7)
    np.testing.assert_allclose(attend(points, 0.7), expected[0], rtol=1e-10)


@given(st.sampled_from(ARRANGEMENTS), st.floats(0.05, 5), st.integers(0, 99))
def test_no_step_leaves_the_box_of_the_points_before(name: str, temperature: float, seed: int):
    run = iterate(start(name, n_points=12, seed=seed), temperature=temperature, steps=8)
    low, high = run.points.min(axis=1), run.points.max(axis=1)
    assert (np.diff(low, axis=0) >= -1e-5).all()
    assert (np.diff(high, axis=0) <= 1e-5).all()
    assert (np.diff(run.diameters) <= 1e-9).all()


def test_warm_attention_collapses_to_one_point():
    run = iterate(start("scattered", n_points=20, seed=0), temperature=2.0, steps=60)
    assert run.clusters[0] == 20
    assert run.clusters[-1] == 1
    assert run.diameters[-1] < 1e-3 * run.diameters[0]
    assert run.moves[0] == 0


def test_cold_attention_stops_at_several_clusters_for_long():
    run = iterate(start("scattered", n_points=40, seed=0), temperature=0.1, steps=60)
    assert run.clusters[-1] == 4
    assert run.diameters[-1] > 0.9 * run.diameters[0]


@pytest.mark.parametrize("name", ARRANGEMENTS)
def test_every_start_stays_in_view(name: str):
    points = start(name, n_points=30, seed=5)
    assert points.shape == (30, 2)
    assert np.abs(points).max() <= 2
