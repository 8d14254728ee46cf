"""Singular value decompositions by hand, and what a rank keeps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blocks.lora import (
    adapter_parameters,
    energy_kept,
    layer_matrices,
    lora_parameters,
    spectrum,
)


def test_a_diagonal_matrix_by_hand():
    found = spectrum(np.diag([3.0, 4.0]).astype(np.float32))
    assert found.values.tolist() == [4, 3]
    up, down = found.factors(1)
    np.testing.assert_allclose(up @ down, np.diag([0, 4]), atol=1e-6)
    np.testing.assert_allclose(found.kept(), [0, 16 / 25, 1])
    assert [found.rank_for(share) for share in (0, 0.64, 0.65, 1)] == [0, 1, 2, 2]


def test_an_update_of_rank_two_is_found_whole():
    rng = np.random.default_rng(0)
    update = (rng.normal(size=(12, 2)) @ rng.normal(size=(2, 7))).astype(np.float32)
    found = spectrum(update)
    up, down = found.factors(2)
    assert up.shape == (12, 2)
    assert down.shape == (2, 7)
    np.testing.assert_allclose(up @ down, update, atol=1e-5)
    assert found.rank_for(0.999) <= 2
    assert lora_parameters(12, 7, 2) == 38 < 12 * 7


def test_no_update_is_kept_by_no_rank():
    found = spectrum(np.zeros((3, 4), np.float32))
    assert found.rank_for(1.0) == 0
    with pytest.raises(ValueError, match="0 to 3"):
        found.factors(4)


@given(st.integers(0, 1000), st.integers(0, 5))
def test_the_truncation_beats_any_other_factors(seed: int, rank: int):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(5, 6)).astype(np.float32)
    up, down = spectrum(matrix).factors(rank)
    other = rng.normal(size=(5, rank)) @ rng.normal(size=(rank, 6))
    best = np.linalg.norm(up @ down - matrix)
    assert best <= np.linalg.norm(other - matrix) + 1e-5
    tail = spectrum(matrix).values[rank:]
    assert best == pytest.approx(float(np.sqrt((tail**2).sum())), abs=1e-4)


def test_energy_by_hand():
    assert energy_kept(np.array([2, 1, 0], dtype=np.float32)).tolist() == [0, 0.8, 1, 1]
    assert energy_kept(np.zeros(2, dtype=np.float32)).tolist() == [1, 1, 1]


def test_an_approximation_of_full_rank_is_the_matrix():
    matrix = np.random.default_rng(2).normal(size=(4, 3)).astype(np.float32)
    np.testing.assert_allclose(spectrum(matrix).approximation(3), matrix, atol=1e-6)
    assert not spectrum(matrix).approximation(0).any()


def test_what_is_trained_by_hand():
    assert adapter_parameters(4, 2) == (4 * 2 + 2) + (2 * 4 + 4)  # down and up, with their biases
    assert layer_matrices(3) == 4 * 3 * 3 + 2 * 3 * 12
