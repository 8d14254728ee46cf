"""Two dimensions: DETR's sines, and the map of a patch."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core import InputError, PatchGrid, positions

ROOT = Path(__file__).parent.parent.parent.parent


def test_two_dimensional_sines_are_detrs():
    from transformers.models.detr.modeling_detr import DetrSinePositionEmbedding

    reference = DetrSinePositionEmbedding(num_position_features=8, normalize=True)(
        (1, 1, 5, 7), torch.device("cpu"), torch.float32
    )
    ours = positions.sine_2d(5, 7, 16)
    flat = reference[0].numpy()  # (place, d_model) or (d_model, row, column)
    expected = flat.reshape(5, 7, 16) if flat.ndim == 2 else np.moveaxis(flat, 0, -1)
    np.testing.assert_allclose(ours, expected, atol=1e-5)


def test_the_first_half_tells_the_row_and_the_second_the_column():
    table = positions.sine_2d(4, 6, 8)
    assert np.ptp(table[..., :4], axis=1).max() == 0
    assert np.ptp(table[..., 4:], axis=0).max() == 0
    with pytest.raises(InputError, match=r"d_model is 10; .* Give 8"):
        positions.sine_2d(2, 2, 10)


def test_a_tile_is_the_map_of_its_patch():
    grid = PatchGrid(rows=2, columns=3, prefix_tokens=1)
    similarity = np.random.default_rng(0).normal(size=(6, 6)).astype(np.float32)
    mosaic = positions.tiles(similarity, grid)
    assert mosaic.shape == (4, 9)
    patch = 1 * 3 + 2  # row 1, column 2
    np.testing.assert_array_equal(mosaic[2:4, 6:9], similarity[patch].reshape(2, 3))
    with pytest.raises(ValueError, match="grid of 2 × 3"):
        positions.tiles(similarity[:5, :5], grid)
