"""Pooling worked by hand on a grid of 2 × 3 patches behind one prefix token."""

import numpy as np

from core.explain.flow.patch_pooling import block_side, pool_patches, pool_row, spread_blocks
from core.trace import PatchGrid

GRID = PatchGrid(2, 3, prefix_tokens=1)


def test_pooling_averages_queries_and_sums_keys():
    weights = np.random.default_rng(13).dirichlet(np.ones(7), (2, 7)).astype(np.float32)
    pooled, smaller = pool_patches(weights, GRID, factor=2)
    assert smaller == PatchGrid(1, 2, 1)
    assert pooled.shape == (2, 3, 3)
    assert np.allclose(pooled.sum(axis=-1), 1, atol=1e-6)
    # the first block holds patches (0,0), (0,1), (1,0), (1,1): positions 1, 2, 4, 5
    block = [1, 2, 4, 5]
    assert np.allclose(pooled[:, 1, 0], weights[:, block, 0].mean(axis=1), atol=1e-6)
    assert np.allclose(pooled[:, 0, 1], weights[:, 0, block].sum(axis=-1), atol=1e-6)
    assert np.allclose(
        pooled[:, 2, 2], weights[:, [3, 6]][:, :, [3, 6]].sum(-1).mean(-1), atol=1e-6
    )


def test_a_row_keeps_its_sum_and_its_prefix():
    row = np.array([0.3, 0.1, 0.0, 0.2, 0.1, 0.2, 0.1], dtype=np.float32)
    pooled = pool_row(row, GRID, PatchGrid(1, 2, 1))
    np.testing.assert_allclose(pooled, [0.3, 0.1 + 0 + 0.1 + 0.2, 0.2 + 0.1], rtol=1e-6)


def test_blocks_at_the_edge_may_be_smaller():
    assert block_side(GRID, PatchGrid(1, 2, 1)) == 2
    assert block_side(PatchGrid(14, 14, 0), PatchGrid(7, 7, 0)) == 2
    blocks = np.array([[1, 2]], dtype=np.float32)
    assert spread_blocks(blocks, GRID).tolist() == [[1, 1, 2], [1, 1, 2]]
