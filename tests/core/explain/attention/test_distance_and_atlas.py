"""Attention distance and head labels on maps whose answer is known."""

import numpy as np
import pytest

from core.errors import InputError
from core.explain.attention.attention_distance import (
    attention_distance,
    attention_reach,
    mean_reach,
    patch_distances,
    uniform_distance,
)
from core.explain.attention.head_atlas import head_atlas
from core.explain.attention.head_roles import NO_ROLE
from core.trace import AttentionKind, AttentionLayer, PatchGrid, Trace

GRID = PatchGrid(2, 3, prefix_tokens=1)
NOTHING = 1e-12  # a weight of exactly zero would be a mask's


def picture_trace(*maps: np.ndarray, grid: PatchGrid = GRID) -> Trace:
    weights = np.maximum(np.stack(maps), NOTHING).astype(np.float32)
    layer = AttentionLayer(
        0, AttentionKind.ENCODER, 1.0, recorded_weights=weights, query_grid=grid, key_grid=grid
    )
    return Trace(model_id="made up", layers={layer.kind: (layer,)}, states={}, patches=grid)


def gridless() -> Trace:
    layer = AttentionLayer(
        0, AttentionKind.ENCODER, 1.0, recorded_weights=np.eye(4, dtype=np.float32)[None]
    )
    return Trace(model_id="made up", layers={layer.kind: (layer,)}, states={})


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
        attention_distance(gridless())
    with pytest.raises(InputError, match="no tokens or patches"):
        head_atlas(gridless())


def test_a_pattern_with_a_third_of_the_mass_names_no_head():
    grid = PatchGrid(5, 5, prefix_tokens=1)
    weights = np.zeros((26, 26))
    weights[0, 0] = 1
    for patch in range(25):  # itself, and two far ones outside of its row and column
        row, column = divmod(patch, 5)
        far = [(row + 2) % 5 * 5 + (column + 2) % 5, (row + 3) % 5 * 5 + (column + 3) % 5]
        weights[1 + patch, [1 + patch, *(1 + place for place in far)]] = 1 / 3
    (summary,) = head_atlas(picture_trace(weights, grid=grid))
    assert summary.label == NO_ROLE
    assert summary.score == pytest.approx(1 / 3)
    assert summary.score == pytest.approx(summary.masses["local"])


def test_entropy_is_in_bits_and_relative_to_what_is_possible():
    (summary,) = head_atlas(picture_trace(np.full((4, 4), 0.25), grid=PatchGrid(2, 2, 0)))
    assert summary.entropy == pytest.approx(2.0)
    assert summary.relative_entropy == pytest.approx(1.0)
    assert summary.label == "broad"


def test_picture_heads_local_row_column_sink():
    grid = PatchGrid(12, 12, prefix_tokens=1)
    row, column = np.divmod(np.arange(144), 12)
    same_row = (row[:, None] == row) / 12
    same_column = (column[:, None] == column) / 12

    def whole(patches: np.ndarray) -> np.ndarray:
        weights = np.zeros((145, 145))
        weights[0, 0] = 1
        weights[1:, 1:] = patches
        return weights

    sink = np.zeros((145, 145))
    sink[:, 0] = 1
    maps = (whole(np.eye(144)), whole(same_row), whole(same_column), sink)
    summaries = head_atlas(picture_trace(*maps, grid=grid))
    assert [summary.label for summary in summaries][1:] == ["row", "column", "sink"]
    # looking at oneself is local, and in one's row and column as well: the closest name wins
    assert summaries[0].label == "local"
    assert summaries[0].distance == pytest.approx(0, abs=1e-9)


def test_distances_count_in_pixels_of_patches_that_are_not_square():
    grid = PatchGrid(2, 2, 0)
    down, right = np.roll(np.eye(4), 2, axis=1), np.eye(4)[[1, 0, 3, 2]]
    distance = attention_distance(picture_trace(down, right, grid=grid), patch_pixels=(10.0, 4.0))
    assert distance == pytest.approx(np.array([[10.0, 4.0]]))


def test_pooled_keys_lie_in_the_middle_of_their_patches():
    fine, pooled = PatchGrid(1, 4, 0), PatchGrid(1, 2, 0)
    assert np.allclose(
        patch_distances(fine, pooled), [[0.5, 2.5], [0.5, 1.5], [1.5, 0.5], [2.5, 0.5]]
    )
    weights = np.tile(np.array([[0.75, 0.25]], np.float32), (1, 4, 1))
    layer = AttentionLayer(
        0, AttentionKind.ENCODER, 1.0, recorded_weights=weights, query_grid=fine, key_grid=pooled
    )
    trace = Trace(model_id="pooled", layers={layer.kind: (layer,)}, states={}, patches=fine)
    assert attention_distance(trace, patch_pixels=8) == pytest.approx(np.array([[8 * 1.25]]))
    (summary,) = head_atlas(trace)
    assert summary.masses == pytest.approx({"local": 1.0, "row": 1.0, "column": 0.5})


def test_a_deeper_stage_counts_in_pixels_of_the_picture():
    fine, coarse = PatchGrid(4, 4, 0), PatchGrid(2, 2, 0)
    maps = (np.full((1, 16, 16), 1 / 16), np.full((3, 4, 4), 1 / 4))
    layers = tuple(
        AttentionLayer(
            index,
            AttentionKind.ENCODER,
            1.0,
            recorded_weights=weights.astype(np.float32),
            query_grid=grid,
            key_grid=grid,
        )
        for index, (weights, grid) in enumerate(zip(maps, (fine, coarse), strict=True))
    )
    trace = Trace(model_id="staged", layers={layers[0].kind: layers}, states={}, patches=fine)
    shallow, deep = attention_reach(trace, patch_pixels=2.0)
    assert shallow.distances == pytest.approx([2 * uniform_distance(fine)])
    assert deep.distances == pytest.approx([4 * uniform_distance(coarse)] * 3)
    assert deep.uniform_distance == pytest.approx(4 * uniform_distance(coarse))
    assert (shallow.uniform_entropy, deep.uniform_entropy) == (4.0, 2.0)
    distances = attention_distance(trace)
    assert distances.shape == (2, 3)
    assert np.isnan(distances[0]).tolist() == [False, True, True]


def test_reach_tells_entropy_and_its_largest_value_and_means_over_pictures():
    sharp, even = np.eye(3), np.full((3, 3), 1 / 3)
    grid = PatchGrid(1, 3, 0)
    one = attention_reach(picture_trace(sharp, even, grid=grid))
    other = attention_reach(picture_trace(even, even, grid=grid))
    assert one[0].entropies == pytest.approx([0, np.log2(3)], abs=1e-6)
    assert one[0].uniform_entropy == pytest.approx(np.log2(3))
    (mean,) = mean_reach([one, other])
    assert mean.entropies == pytest.approx([np.log2(3) / 2, np.log2(3)], abs=1e-6)
    assert mean.distances == pytest.approx([4 / 9, 8 / 9])
