"""Attention distance and head labels on maps whose answer is known."""

import numpy as np
import pytest

from core.errors import InputError
from core.explain.atlas import head_atlas
from core.explain.distance import attention_distance, patch_distances, uniform_distance
from core.trace import AttentionKind, AttentionLayer, Encoding, PatchGrid, Trace

GRID = PatchGrid(2, 3, prefix_tokens=1)


def picture_trace(*maps: np.ndarray, grid: PatchGrid = GRID) -> Trace:
    weights = np.stack(maps).astype(np.float32)
    layer = AttentionLayer(
        0, AttentionKind.ENCODER, 1.0, recorded_weights=weights, query_grid=grid, key_grid=grid
    )
    return Trace(model_id="made up", layers={layer.kind: (layer,)}, states={}, patches=grid)


def text_trace(*maps: np.ndarray, special: tuple[bool, ...] | None = None) -> Trace:
    weights = np.stack(maps).astype(np.float32)
    n = weights.shape[1]
    layer = AttentionLayer(0, AttentionKind.ENCODER, 1.0, recorded_weights=weights)
    numbers = np.arange(n, dtype=np.int64)
    encoding = Encoding(
        tokens=tuple("abcdefgh"[:n]),
        ids=numbers,
        offsets=np.stack([numbers, numbers + 1], axis=1),
        words=numbers,
        special=np.array(special or (False,) * n),
        segments=np.zeros(n, dtype=np.int64),
    )
    return Trace(model_id="made up", layers={layer.kind: (layer,)}, states={}, encoding=encoding)


def test_a_head_that_looks_one_patch_to_the_right_has_distance_one():
    weights = np.zeros((7, 7))
    weights[0, 0] = 1
    for patch, target in ((1, 2), (2, 3), (3, 2), (4, 5), (5, 6), (6, 5)):
        weights[patch, 0] = 0.5  # half of it on the class token, which has no place
        weights[patch, target] = 0.5
    distance = attention_distance(picture_trace(weights), patch_pixels=8)
    assert distance == pytest.approx(np.array([[8.0]]))


def test_distances_and_the_uniform_baseline_by_hand():
    grid = PatchGrid(1, 3, 0)
    assert np.allclose(patch_distances(grid), [[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    assert uniform_distance(grid) == pytest.approx(8 / 9)
    uniform = picture_trace(np.full((3, 3), 1 / 3), grid=grid)
    assert attention_distance(uniform) == pytest.approx(np.array([[8 / 9]]))


def test_distance_without_a_grid_is_refused():
    with pytest.raises(InputError, match="grid"):
        attention_distance(text_trace(np.eye(4)))


def test_text_heads_get_the_label_of_their_pattern():
    n = 6
    previous = np.eye(n, k=-1)
    previous[0, 0] = 1
    following = np.eye(n, k=1)
    following[-1, -1] = 1
    first = np.zeros((n, n))
    first[:, 0] = 1
    separators = np.zeros((n, n))
    separators[:, -1] = 1
    maps = (np.eye(n), previous, following, first, separators, np.full((n, n), 1 / n))
    labels = [
        summary.label for summary in head_atlas(text_trace(*maps, special=(False,) * 5 + (True,)))
    ]
    assert labels == ["itself", "previous", "next", "first", "special", "broad"]


def test_a_pattern_with_a_third_of_the_mass_names_no_head():
    n = 6
    steps = np.stack([np.roll(np.eye(n), step, axis=1) for step in (0, 2, 3)])
    (summary,) = head_atlas(text_trace(steps.mean(axis=0)))
    assert summary.label == "mixed"
    assert summary.score == pytest.approx(1 / 3)
    assert summary.score == pytest.approx(summary.masses["itself"])


def test_entropy_is_in_bits_and_relative_to_what_the_mask_allows():
    (summary,) = head_atlas(text_trace(np.full((4, 4), 0.25)))
    assert summary.entropy == pytest.approx(2.0)
    assert summary.relative_entropy == pytest.approx(1.0)
    causal = np.tril(np.ones((4, 4)))
    causal /= causal.sum(axis=1, keepdims=True)
    (summary,) = head_atlas(text_trace(causal))
    assert summary.entropy == pytest.approx((0 + 1 + np.log2(3) + 2) / 4)


def test_picture_heads_local_row_column_sink():
    grid = PatchGrid(5, 5, prefix_tokens=1)
    row, column = np.divmod(np.arange(25), 5)
    same_row = (row[:, None] == row) / 5
    same_column = (column[:, None] == column) / 5

    def whole(patches: np.ndarray) -> np.ndarray:
        weights = np.zeros((26, 26))
        weights[0, 0] = 1
        weights[1:, 1:] = patches
        return weights

    sink = np.zeros((26, 26))
    sink[:, 0] = 1
    maps = (whole(np.eye(25)), whole(same_row), whole(same_column), sink)
    summaries = head_atlas(picture_trace(*maps, grid=grid))
    assert [summary.label for summary in summaries][1:] == ["row", "column", "sink"]
    # looking at oneself is local, and in one's row and column as well: the closest name wins
    assert summaries[0].label == "local"
    assert summaries[0].distance == 0
