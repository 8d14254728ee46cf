import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.attention.patch_attention import (
    PatchReading,
    look,
    read_patches,
    resample,
    same_place,
    top_mass,
)
from core.trace import AttentionKind, AttentionLayer, PatchGrid

GRID = PatchGrid(rows=1, columns=2, prefix_tokens=1)
# (head, query, key); token 0 is [CLS], then two patches
WEIGHTS = np.array(
    [
        [[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.25, 0.25, 0.5]],
        [[0.2, 0.2, 0.6], [0.8, 0.1, 0.1], [0.0, 0.0, 1.0]],
    ],
    dtype=np.float32,
)


def layer(weights=WEIGHTS, grid=GRID) -> AttentionLayer:
    return AttentionLayer(
        index=0,
        kind=AttentionKind.ENCODER,
        scale=1.0,
        recorded_weights=weights,
        query_grid=grid,
        key_grid=grid,
    )


def test_where_a_token_looks_is_its_row():
    found = look(layer(), 0)
    np.testing.assert_array_equal(found.prefix, np.float32([[0.5], [0.2]]))
    np.testing.assert_array_equal(found.patches, np.float32([[[0.3, 0.2]], [[0.2, 0.6]]]))
    np.testing.assert_allclose(found.uniform, [[1 / 3, 1 / 3]])
    assert found.grid == GRID


def test_who_looks_at_it_is_its_column():
    found = look(layer(), 2, "to")
    np.testing.assert_array_equal(found.prefix, np.float32([[0.2], [0.6]]))
    np.testing.assert_array_equal(found.patches, np.float32([[[0.3, 0.5]], [[0.1, 1.0]]]))


def test_no_token_is_the_mean_of_the_patches():
    found = look(layer(), None)
    np.testing.assert_allclose(found.prefix, [[0.175], [0.4]])
    np.testing.assert_allclose(found.patches, [[[0.425, 0.4]], [[0.05, 0.55]]])
    sums = found.patches.sum(axis=(1, 2)) + found.prefix.sum(axis=1)
    np.testing.assert_allclose(sums, 1, atol=1e-6)


def test_uniform_counts_only_keys_that_can_be_seen():
    windows = np.float32([[[0.25, 0.75, 0, 0], [1, 0, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0, 1]]])
    found = look(layer(windows, PatchGrid(2, 2, 0)), 0)
    np.testing.assert_array_equal(found.uniform, np.float32([[0.5, 0.5], [0, 0]]))
    to = look(layer(windows, PatchGrid(2, 2, 0)), 0, "to")
    np.testing.assert_array_equal(to.uniform, np.float32([[0.5, 1], [0, 0]]))
    assert found.even == 0.5
    assert to.even is None


def test_kept_weights_give_the_same_as_the_layers_own():
    for token, direction in ((1, "to"), (None, "from"), (None, "to")):
        own, given_ = (
            look(layer(), token, direction),
            look(layer(), token, direction, weights=WEIGHTS),
        )
        np.testing.assert_array_equal(own.patches, given_.patches)


@pytest.mark.parametrize(("how", "expected"), [("mean", 0.25), ("max", 0.3), ("min", 0.2)])
def test_heads_are_fused(how, expected):
    fused = look(layer(), 0).fused(how)
    assert fused.patches.shape == (1, 1, 2)
    assert fused.patches[0, 0, 0] == pytest.approx(expected)
    assert fused.prefix[0, 0] == pytest.approx({"mean": 0.35, "max": 0.5, "min": 0.2}[how])


def test_a_token_that_is_not_there():
    with pytest.raises(ValueError, match="layer 0 has tokens 0 to 2, not 3"):
        look(layer(), 3)
    with pytest.raises(ValueError, match="no grid of patches"):
        look(layer(grid=None), 0)


def test_a_weight_is_read_against_rank_and_uniform():
    weights = np.float32([[0.4, 0.1], [0.1, 0.0]])
    uniform = np.float32([[0.25, 0.25], [0.25, 0.0]])
    readings = read_patches(weights, uniform)
    assert [reading.rank for reading in readings[:3]] == [1, 2, 2]
    assert [reading.visible for reading in readings] == [3, 3, 3, 3]
    assert [reading.times_uniform for reading in readings] == pytest.approx([1.6, 0.4, 0.4, 0])
    assert readings[3] == PatchReading(0.0, 4, 3, 0.0)  # out of sight


@pytest.mark.parametrize(
    ("share", "kept"),
    [(0.0, "0000"), (0.5, "1000"), (0.6, "1100"), (0.75, "1100"), (0.8, "1110"), (1, "1111")],
)
def test_the_fewest_patches_that_hold_a_share_are_kept(share, kept):
    weights = np.float32([[0.5, 0.25], [0.25, 0.0]])
    assert "".join(str(int(on)) for on in top_mass(weights, share).flat) == kept


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 30), st.integers(1, 30), st.data())
def test_a_place_is_where_its_centre_lies(rows, columns, other_rows, other_columns, data):
    patch = data.draw(st.integers(0, rows * columns - 1))
    source, target = PatchGrid(rows, columns, 1), PatchGrid(other_rows, other_columns, 0)
    row, column = divmod(same_place(patch, source, target), other_columns)
    y, x = (patch // columns + 0.5) / rows, (patch % columns + 0.5) / columns
    assert row / other_rows <= y <= (row + 1) / other_rows
    assert column / other_columns <= x <= (column + 1) / other_columns
    assert same_place(patch, source, source) == patch


def test_a_finer_grid_takes_the_patch_below_the_centre():
    assert same_place(3, PatchGrid(2, 2, 1), PatchGrid(4, 4, 0)) == 15
    assert same_place(10, PatchGrid(4, 4, 0), PatchGrid(2, 2, 1)) == 3


def test_resampling_reads_at_the_centres():
    values = np.array([[1, 2], [3, 4]])
    fine = resample(values, PatchGrid(4, 3, 0))  # a middle column's centre is the right half's edge
    assert fine.tolist() == [[1, 2, 2], [1, 2, 2], [3, 4, 4], [3, 4, 4]]
    coarse = resample(np.arange(16).reshape(4, 4), PatchGrid(2, 2, 1))
    assert coarse.tolist() == [[5, 7], [13, 15]]
