"""Learned tables: similarities, components, neighbours, and their snapshots."""

from pathlib import Path

import numpy as np
import pytest

from core import InputError, PatchGrid, positions
from core.data.snapshots import read_moments

ROOT = Path(__file__).parent.parent.parent.parent


def test_similarity_by_steps_by_hand():
    """Two rows of two patches: 0 1 / 2 3."""
    grid = PatchGrid(rows=2, columns=2, prefix_tokens=0)
    similarity = np.array(
        [[1, 0.5, 0.3, 0.1], [0.5, 1, 0.2, 0.4], [0.3, 0.2, 1, 0.7], [0.1, 0.4, 0.7, 1]],
        dtype=np.float32,
    )
    steps = positions.similarity_by_steps(similarity, grid)
    np.testing.assert_allclose(steps, [[1, 0.6], [0.35, 0.15]], atol=1e-6)


def test_cosines_and_distances_by_hand():
    table = np.array([[1, 0], [2, 2], [0, 3], [0, 0]], dtype=np.float32)
    cosine = positions.cosine_similarity(table)
    half = np.sqrt(0.5)
    np.testing.assert_allclose(
        cosine, [[1, half, 0, 0], [half, 1, half, 0], [0, half, 1, 0], [0, 0, 0, 0]], atol=1e-6
    )
    mean, low, high = positions.similarity_by_offset(cosine)
    np.testing.assert_allclose(mean, [3 / 4, 2 * half / 3, 0, 0], atol=1e-6)
    np.testing.assert_allclose((low[1], high[1]), (0, half), atol=1e-6)


@pytest.mark.parametrize("shape", [(12, 5), (5, 12)])
def test_components_are_the_covariances_eigenvectors(shape):
    table = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    found = positions.principal_components(table, 3)
    variances, vectors = np.linalg.eigh(np.cov(table.T))
    shares = variances[::-1] / variances.sum()
    np.testing.assert_allclose(found.explained, shares[:3], rtol=1e-4)
    scores = (table - table.mean(0)) @ vectors[:, ::-1][:, :3]
    np.testing.assert_allclose(np.abs(found.scores), np.abs(scores), atol=1e-4)
    assert (found.scores[-1] >= 0).all()
    with pytest.raises(InputError, match="One position has no components"):
        positions.principal_components(table[:1])


def test_the_shipped_snapshots_end_at_the_shipped_table():
    import core

    kept = read_moments(ROOT / "assets" / "models" / "bert-mini" / "snapshots.npz", "positions")
    assert kept is not None
    assert len(kept.values) == len(kept.steps) == 8
    table = core.load("bert-mini").position_table()
    n = kept.values.shape[1]
    np.testing.assert_allclose(kept.values[-1], table.vectors[:n], atol=1e-3)


def test_neighbours_by_hand():
    table = np.array([[1, 0], [0.9, 0.1], [0, 2], [-1, 0.1]], dtype=np.float32)
    found = positions.neighbours(table, positions.cosine_similarity(table))
    assert found.n_beside == 4  # 0-1, 1-0, 2-1 (0.11 against 0.10), 3-2
    assert (found.shortest, found.longest) == (1, 2)
    assert found.longest_length == 2
