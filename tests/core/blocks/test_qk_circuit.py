"""M = W^Q (W^K)ᵀ: its rank, its parts, and the shortcut to its symmetric share."""

import numpy as np
import pytest

import core
from core.blocks.qk_circuit import head_metric, parts, symmetric_share


def drawn(seed: int, d_model: int = 24, d_head: int = 4) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    query, key = random.normal(size=(2, d_model, d_head)).astype(np.float32)
    return query, key


def test_the_rank_is_the_heads_width():
    metric = head_metric(*drawn(0))
    assert metric.rank == metric.d_head == 4
    assert metric.singular_values[3] > 1
    assert metric.singular_values[4] < metric.tolerance


def test_a_repeated_column_lowers_the_rank():
    query, key = drawn(1)
    query[:, 1] = query[:, 0]
    assert head_metric(query, key).rank == 3


def test_equal_matrices_make_a_symmetric_positive_metric():
    query, _ = drawn(2)
    metric = head_metric(query, query)
    assert metric.symmetric_share == pytest.approx(1)
    assert metric.eigenvalues.min() > -1e-9


def test_by_hand():
    """W^Q = e₁, W^K = e₂: M has one entry, half of its square norm is symmetric."""
    query, key = np.eye(2, dtype=np.float32)[:, :1], np.eye(2, dtype=np.float32)[:, 1:]
    metric = head_metric(query, key)
    assert metric.matrix.tolist() == [[0, 1], [0, 0]]
    assert metric.symmetric_share == 0.5
    assert metric.eigenvalues.tolist() == [0.5, -0.5]
    symmetric, antisymmetric = parts(metric.matrix)
    assert symmetric.tolist() == [[0, 0.5], [0.5, 0]]
    assert antisymmetric.tolist() == [[0, 0.5], [-0.5, 0]]


@pytest.mark.parametrize("seed", range(5))
def test_the_share_needs_no_large_matrix(seed: int):
    query, key = drawn(seed)
    assert symmetric_share(query, key) == pytest.approx(head_metric(query, key).symmetric_share)


def test_every_head_of_bert_mini_has_full_rank_in_its_32_dimensions():
    model = core.load("bert-mini")
    for layer in range(6):
        matrices = model.head_projections(layer, layer)
        assert head_metric(matrices.query, matrices.key).rank == 32


def test_attraction_and_repulsion_sum_to_the_trace():
    query = np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32)
    key = np.random.default_rng(1).normal(size=(6, 3)).astype(np.float32)
    found = head_metric(query, key)
    assert found.attraction > 0 < found.repulsion
    assert found.attraction - found.repulsion == pytest.approx(np.trace(found.matrix))
