"""Flow between tokens: worked by hand, against every path counted, against rollout."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.explain.flow.rollout import frames_of_maps
from core.explain.flow.token_flow import (
    TokenFlow,
    edges_kept,
    flow_into,
    flow_of_amounts,
    flow_out,
    strongest_path,
    strongest_worths,
)

HAND = np.array([[[0.6, 0.4], [0.1, 0.9]], [[0.5, 0.5], [0.7, 0.3]]], dtype=np.float32)


def random_flow(seed: int, layers: int = 3, n: int = 4) -> TokenFlow:
    random = np.random.default_rng(seed)
    parts = random.dirichlet(np.ones(n + 1), (layers, n)).astype(np.float32)
    return TokenFlow(parts[:, :, 1:], parts[:, :, 0])


def test_by_hand():
    flow = TokenFlow(HAND, np.zeros((2, 2), dtype=np.float32))
    # 0 of the output takes half of each; of these 0.6 and 0.1 are of 0 in the input
    np.testing.assert_allclose(flow_into(flow.mixed, (2, 0)), [[0.35, 0.65], [0.5, 0.5], [1, 0]])
    np.testing.assert_allclose(flow_out(flow.mixed, (0, 1)), [[0, 1], [0.4, 0.9], [0.65, 0.55]])
    best = strongest_path(flow.mixed, (0, 1), (2, 0))
    assert (best.level, best.positions) == (0, (1, 1, 0))
    assert best.worth == pytest.approx(0.45)
    np.testing.assert_allclose(strongest_worths(flow.mixed), [[0.3, 0.45], [0.42, 0.28]], rtol=1e-6)


def test_the_residual_is_part_of_what_a_token_takes_of_itself():
    flow = flow_of_amounts([np.array([[2, 2], [0, 0]], dtype=np.float32)], residual=0.25)
    np.testing.assert_allclose(flow.attended, [[[0.375, 0.375], [0, 0.75]]])
    np.testing.assert_allclose(flow.mixed, [[[0.625, 0.375], [0, 1]]])
    with pytest.raises(InputError, match="0 to 1, not 2"):
        flow_of_amounts([np.eye(2, dtype=np.float32)], residual=2)


@given(st.integers(0, 10_000))
def test_shares_sum_to_one_and_flow_is_rollout(seed: int):
    mixed = random_flow(seed).mixed
    np.testing.assert_allclose(mixed.sum(axis=2), 1, atol=1e-5)
    whole = frames_of_maps(list(mixed), residual=0)[-1]
    last = len(mixed)
    for place in range(mixed.shape[1]):
        rows = flow_into(mixed, (last, place))
        np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)
        np.testing.assert_allclose(rows[0], whole[place], atol=1e-5)
        np.testing.assert_allclose(flow_out(mixed, (0, place))[-1], whole[:, place], atol=1e-5)


@given(st.integers(0, 10_000))
def test_paths_are_products_that_add_up_to_the_flow(seed: int):
    mixed = random_flow(seed).mixed.astype(np.float64)
    layers, n = mixed.shape[:2]
    start, end = seed % n, seed // n % n
    worths: dict[tuple[int, ...], float] = {}
    for between in product(range(n), repeat=layers - 1):
        path = (start, *between, end)
        steps = zip(range(layers), path, path[1:], strict=False)
        worths[path] = float(np.prod([mixed[at, query, key] for at, key, query in steps]))
    best = strongest_path(mixed.astype(np.float32), (0, start), (layers, end))
    assert best.worth == pytest.approx(max(worths.values()), rel=1e-5)
    assert best.worth == pytest.approx(worths[best.positions], rel=1e-5)
    assert sum(worths.values()) == pytest.approx(flow_into(mixed, (layers, end))[0, start])
    assert strongest_worths(mixed)[end, start] == pytest.approx(best.worth, rel=1e-5)


def test_edges_that_lead_into_a_node_or_out_of_it():
    kept = edges_kept(HAND, 0.45, into=(2, 1))
    np.testing.assert_array_equal(kept, [[[1, 0], [0, 0]], [[0, 0], [1, 0]]])
    kept = edges_kept(HAND, 0.45, into=(1, 1))
    np.testing.assert_array_equal(kept, [[[0, 0], [0, 1]], [[0, 0], [0, 0]]])
    kept = edges_kept(HAND, 0.45, out_of=(0, 0))
    np.testing.assert_array_equal(kept, [[[1, 0], [0, 0]], [[1, 0], [1, 0]]])
    np.testing.assert_array_equal(edges_kept(HAND, 0.45), HAND >= 0.45)
    assert edges_kept(np.zeros((1, 2, 2), dtype=np.float32), 0).sum() == 0  # nothing flows there


def test_a_path_that_is_not_there():
    forward = np.tril(np.full((2, 3, 3), 1 / 3, dtype=np.float32))
    with pytest.raises(ValueError, match="no path"):
        strongest_path(forward, (0, 2), (2, 0))
    with pytest.raises(ValueError, match="after"):
        strongest_path(forward, (2, 0), (1, 0))
    alone = strongest_path(forward, (1, 2), (1, 2))
    assert (alone.positions, alone.worth) == ((2,), 1)
