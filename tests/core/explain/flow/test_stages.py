"""Maps and rollout across Swin's stages, worked by hand; equal to rollout on one grid."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.explain import (
    attention_rollout,
    merge_map,
    reach,
    spread_map,
    stage_rollout,
    stage_rollout_row,
)
from core.explain.flow.stages import children
from core.trace import AttentionKind, AttentionLayer, PatchGrid, Trace
from core.trace.windows import WindowPartition, Windows

FOUR, TWO, ONE = PatchGrid(4, 4, 0), PatchGrid(2, 2, 0), PatchGrid(1, 1, 0)


def layer(weights, grid: PatchGrid, index: int = 0) -> AttentionLayer:
    """One head with this map."""
    return AttentionLayer(
        index=index,
        kind=AttentionKind.ENCODER,
        scale=1.0,
        recorded_weights=np.asarray(weights, dtype=np.float32)[None],
        query_grid=grid,
        key_grid=grid,
    )


def trace(*layers: AttentionLayer) -> Trace:
    return Trace(model_id="by-hand", layers={AttentionKind.ENCODER: layers}, states={})


def random_map(n: int, seed: int) -> np.ndarray:
    weights = np.random.default_rng(seed).random((n, n)).astype(np.float32)
    return weights / weights.sum(1, keepdims=True)


def test_children_are_squares_of_two_by_two():
    assert children(FOUR, TWO).tolist() == [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]
    assert children(PatchGrid(3, 4, 0), TWO).tolist() == [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3]
    with pytest.raises(InputError, match="not merged evenly"):
        children(PatchGrid(5, 4, 0), TWO)
    with pytest.raises(InputError, match="no prefix tokens"):
        children(PatchGrid(4, 4, 1), TWO)


def test_merging_averages_queries_and_sums_keys():
    weights = np.zeros((16, 16), dtype=np.float32)
    weights[:, 15] = 1  # all look at the last patch …
    weights[0] = np.eye(16, dtype=np.float32)[2]  # … but the first looks at patch 2
    merged = merge_map(weights, FOUR, TWO)
    np.testing.assert_allclose(merged[0], [0, 0.25, 0, 0.75])
    np.testing.assert_allclose(merged[3], [0, 0, 0, 1])


def test_spreading_shares_a_parents_weight_among_its_children():
    spread = spread_map(np.asarray([[0, 1, 0, 0]] * 4, dtype=np.float32), TWO, FOUR)
    np.testing.assert_allclose(spread[0].reshape(4, 4)[:2, 2:], 0.25)
    assert spread[0].sum() == pytest.approx(1)


@given(st.integers(0, 50))
def test_merging_undoes_spreading_and_rows_keep_their_sum(seed):
    weights = random_map(4, seed)[None]
    spread = spread_map(weights, TWO, FOUR)
    np.testing.assert_allclose(spread.sum(-1), 1, atol=1e-5)
    np.testing.assert_allclose(merge_map(spread, FOUR, TWO), weights, atol=1e-6)


def test_rollout_across_a_merge_by_hand():
    """Stage one: nobody looks away. Then four become one, which has seen all four alike."""
    found = stage_rollout(trace(layer(np.eye(4), TWO), layer([[1.0]], ONE, 1)))
    np.testing.assert_allclose(found, [[0.25] * 4])
    # Patch 0 looks at patch 3 with all its attention: half of it, beside the residual's half.
    looking = np.eye(4, dtype=np.float32)
    looking[0] = [0, 0, 0, 1]
    found = stage_rollout(trace(layer(looking, TWO), layer([[1.0]], ONE, 1)))
    np.testing.assert_allclose(found, [[0.125, 0.25, 0.25, 0.375]])


@given(st.integers(0, 30), st.floats(0, 1))
def test_on_one_grid_it_is_attention_rollout_and_its_row(seed, residual):
    given_trace = trace(layer(random_map(4, seed), TWO), layer(random_map(4, seed + 1), TWO, 1))
    expected = attention_rollout(given_trace, residual=residual)
    found = stage_rollout(given_trace, residual=residual)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_allclose(
        stage_rollout_row(given_trace, 2, residual=residual), found[2], atol=1e-6
    )


def windowed(partition: WindowPartition, seed: int) -> AttentionLayer:
    generator = np.random.default_rng(seed)
    size = partition.index.shape[1]
    weights = generator.random((partition.n_windows, 2, size, size)).astype(np.float32)
    weights *= partition.allowed[:, None]
    weights /= weights.sum(-1, keepdims=True)
    grid = PatchGrid(partition.rows, partition.columns, 0)
    return AttentionLayer(
        index=0,
        kind=AttentionKind.ENCODER,
        scale=1.0,
        query_grid=grid,
        key_grid=grid,
        windows=Windows(weights, partition),
    )


BLOCKS = (
    WindowPartition(8, 8, (2, 2)),
    WindowPartition(8, 8, (2, 2), (1, 1)),
    WindowPartition(4, 4, (2, 2)),
    WindowPartition(4, 4, (2, 2), (1, 1)),
)


def test_rollout_window_by_window_is_the_whole_maps_and_stays_within_reach():
    stages = trace(*(windowed(block, seed) for seed, block in enumerate(BLOCKS)))
    whole = trace(
        *(
            AttentionLayer(
                index=each.index,
                kind=each.kind,
                scale=1.0,
                recorded_weights=each.weights,
                query_grid=each.query_grid,
                key_grid=each.key_grid,
            )
            for each in stages.layers[AttentionKind.ENCODER]
        )
    )
    found = stage_rollout(stages)
    assert found.shape == (16, 64)
    np.testing.assert_allclose(found, stage_rollout(whole), atol=1e-6)
    np.testing.assert_allclose(found.sum(1), 1, atol=1e-5)
    np.testing.assert_allclose(stage_rollout_row(stages, 5), found[5], atol=1e-6)
    np.testing.assert_allclose(
        stage_rollout(stages, stop_layer=2)[9],
        stage_rollout_row(stages, 9, stop_layer=2),
        atol=1e-6,
    )
    for patch in (0, 27, 63):
        reached = reach(BLOCKS, patch)[-1].ravel()
        mine = children(PatchGrid(8, 8, 0), FOUR)[patch]
        np.testing.assert_array_equal(found[mine] > 0, reached)


def test_reach_by_hand():
    """Windows of two; then shifted by one; then, two patches to one, windows of two again."""
    none, first, second, third, fourth = reach(BLOCKS, 27)  # row 3, column 3
    assert np.argwhere(none).tolist() == [[3, 3]]
    assert {tuple(place) for place in np.argwhere(first)} == {(2, 2), (2, 3), (3, 2), (3, 3)}
    # Shifted: rows and columns 3 and 4 look at each other, and each had heard its own window.
    assert np.argwhere(second).min() == 2
    assert np.argwhere(second).max() == 5
    assert second.sum() == 16
    # Merged, (3, 3) is patch (1, 1) of four by four, in the window of rows and columns 0 and 1:
    # their children are 0 to 3, which had heard one row and one column further.
    assert third.sum() == 36
    assert third[:6, :6].all()
    assert fourth.sum() == 64


def test_without_a_shift_a_window_hears_only_itself():
    plain = (WindowPartition(8, 8, (4, 4)),) * 3
    after = reach(plain, 9)
    assert [int(each.sum()) for each in after] == [1, 16, 16, 16]
    shifted = (plain[0], WindowPartition(8, 8, (4, 4), (2, 2)), plain[0])
    assert [int(each.sum()) for each in reach(shifted, 9)] == [1, 16, 16, 64]


def test_what_is_out_of_range_is_told():
    given_trace = trace(layer(random_map(4, 0), TWO))
    with pytest.raises(InputError, match="no patch 4"):
        stage_rollout_row(given_trace, 4)
    with pytest.raises(InputError, match="no run"):
        stage_rollout(given_trace, start_layer=1)
    with pytest.raises(InputError, match="residual"):
        stage_rollout(given_trace, residual=2)
    with pytest.raises(InputError, match="no patch 64"):
        reach(BLOCKS, 64)
    with pytest.raises(InputError, match="at least one block"):
        reach((), 0)
