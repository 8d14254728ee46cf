"""Routing by hand, load balance at both ends, capacity."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blocks.mixture_of_experts import Routing, route, toy_router
from core.errors import InputError

STATES = np.array([[1, -1, 0], [1, 0, -1], [0, 1, -1]], np.float32)


def test_the_best_experts_by_hand():
    router = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    found = route(STATES, router, k=1)
    spread = np.sqrt(2 / 3)  # each state's own standard deviation; its mean is 0
    logits = STATES / spread @ router
    np.testing.assert_allclose(
        found.probabilities, np.exp(logits) / np.exp(logits).sum(1, keepdims=True), rtol=1e-4
    )
    assert found.chosen.tolist() == [[0], [0], [1]]
    assert found.gates.tolist() == [[1], [1], [1]]
    assert found.load.tolist() == [2, 1]
    full = route(STATES, router, k=1, capacity_factor=0.5)  # ceil(3 / 2 · 0.5) = 1 each
    assert full.accepted.tolist() == [[True], [False], [True]]
    assert full.load.tolist() == [1, 1]


def test_balance_is_one_when_even_and_n_when_one_expert_gets_all():
    even = Routing(
        np.full((4, 2), 0.5, np.float32),
        np.array([[0], [1], [0], [1]]),
        np.ones((4, 1), np.float32),
        np.ones((4, 1), bool),
    )
    assert even.balance == pytest.approx(1)
    one = Routing(
        np.tile(np.array([1.0, 0.0], np.float32), (4, 1)),
        np.zeros((4, 1), np.int64),
        np.ones((4, 1), np.float32),
        np.ones((4, 1), bool),
    )
    assert one.balance == pytest.approx(2)


@given(st.integers(1, 30), st.integers(1, 8), st.integers(0, 1000))
def test_gates_sum_to_one_and_every_token_is_counted(n: int, k: int, seed: int):
    states = np.random.default_rng(seed).normal(size=(n, 6)).astype(np.float32)
    found = route(states, toy_router(6, 8, seed=seed), k=k)
    np.testing.assert_allclose(found.gates.sum(axis=1), 1, atol=1e-5)
    assert found.load.sum() == n * k
    assert (np.diff(found.gates, axis=1) <= 1e-6).all()  # best first
    capped = route(states, toy_router(6, 8, seed=seed), k=k, capacity_factor=1.0)
    assert capped.load.max() <= -(-n * k // 8)


def test_more_experts_than_there_are():
    with pytest.raises(InputError, match="1 to 2"):
        route(STATES, np.zeros((3, 2)), k=3)


def test_gates_in_the_experts_places():
    routing = Routing(
        probabilities=np.full((2, 3), 1 / 3, dtype=np.float32),
        chosen=np.array([[2, 0], [2, 1]]),
        gates=np.array([[0.75, 0.25], [0.5, 0.5]], dtype=np.float32),
        accepted=np.array([[True, True], [False, True]]),
    )
    assert routing.gate_matrix.tolist() == [[0.25, 0, 0.75], [0, 0.5, 0]]
    assert (routing.n_dropped, routing.even_load) == (1, 1.0)
