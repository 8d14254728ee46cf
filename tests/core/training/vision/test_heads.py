"""The mean attention distance, worked by hand, and what the card says of it."""

import numpy as np
import pytest
import torch

from core.training.vision.heads import attention_maps, describe, heads_note, mean_distance
from core.training.vision.network import build
from tests.core.training.vision.made_up_photos import TINY_VIT


def test_a_head_that_looks_at_itself_looks_no_distance() -> None:
    maps = np.eye(6, dtype=np.float32)[None, None]
    assert mean_distance(maps, 3) == 0


def test_distances_of_a_grid_of_two_by_two() -> None:
    maps = np.full((1, 1, 4, 4), 0.25, dtype=np.float32)
    expected = (0 + 1 + 1 + 2**0.5) / 4  # itself, its two neighbours, across
    assert mean_distance(maps, 2)[0, 0] == pytest.approx(expected)


def test_the_note_counts_near_and_far_heads() -> None:
    note = describe(np.array([[1.0, 5.0], [6.9, 7.0]], dtype=np.float32), even=7.0)
    assert "from 1.0 to 7.0 patches" in note
    assert "1 in layer 0, 0 in layer 1, of 2 each" in note
    assert "further than 95% of it: 2 of 4" in note


def test_maps_of_a_model_are_between_patches_and_sum_to_one() -> None:
    torch.manual_seed(0)
    model = build(TINY_VIT, classes=27, device="cpu").eval()
    pixels = torch.randn(2, 3, 32, 32)
    maps = attention_maps(model, pixels)
    assert maps.shape == (2, 2, 16, 16)
    np.testing.assert_allclose(maps.sum(axis=-1), 1, rtol=1e-5)
    assert heads_note(model, pixels).startswith("Mean attention distance from ")
