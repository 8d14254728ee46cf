"""Windows of a picture: worked by hand, against timm's own rolling, and back on the whole."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from timm.models.swin_transformer import window_partition

from core.capture import Recorder
from core.capture.module_path import module_paths
from core.errors import InputError
from core.interventions import BlockEdge, PatchHead, ReplaceWeights, SilenceHead
from core.trace import AttentionKind, AttentionLayer
from core.trace.windows import WindowPartition, gather, spread
from tests.core.tiny_windows import SWINS, blocks_of, picture, swin

BY_HAND = WindowPartition(4, 4, (2, 2), (1, 1))


def record(module, pixels, *changes) -> tuple[list[AttentionLayer], Recorder, torch.Tensor]:
    recorder = Recorder(module_paths(module), lambda _: AttentionKind.ENCODER, changes)
    with torch.inference_mode(), recorder:
        logits = module(pixels)
    recorder.refuse_idle()
    return [call.layer_of(0, {}) for call in recorder.calls], recorder, logits


def test_windows_without_a_shift_are_cut_row_by_row():
    plain = WindowPartition(4, 4, (2, 2))
    assert plain.index.tolist() == [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]
    assert plain.allowed.all()
    assert plain.place_of(6) == (1, 2)


def test_shifted_windows_begin_one_row_and_column_later_and_wrap_around():
    # rolled by one: rows 1 2 3 0, columns 1 2 3 0
    assert BY_HAND.index.tolist() == [[5, 6, 9, 10], [7, 4, 11, 8], [13, 14, 1, 2], [15, 12, 3, 0]]
    first, right, below, corner = BY_HAND.allowed
    assert first.all()
    assert right[0].tolist() == [True, False, True, False]  # column 3 never sees column 0
    assert below[0].tolist() == [True, True, False, False]  # row 3 never sees row 0
    assert np.array_equal(corner, np.eye(4, dtype=bool))  # four corners of the picture: strangers
    assert np.flatnonzero(BY_HAND.members(15)).tolist() == [0, 3, 12, 15]
    assert np.flatnonzero(BY_HAND.partners(15)).tolist() == [15]
    assert np.flatnonzero(BY_HAND.partners(7)).tolist() == [7, 11]


@given(
    st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(1, 4),
    st.integers(0, 3), st.integers(0, 3),
)  # fmt: skip
def test_every_patch_has_one_place_and_may_see_itself_and_neighbours_only(a, b, h, w, down, along):
    partition = WindowPartition(a * h, b * w, (h, w), (min(down, h - 1), min(along, w - 1)))
    assert sorted(partition.index.ravel()) == list(range(partition.n_patches))
    assert partition.allowed.diagonal(axis1=1, axis2=2).all()
    rows, columns = np.divmod(partition.index, partition.columns)
    apart = np.abs(rows[:, :, None] - rows[:, None]), np.abs(columns[:, :, None] - columns[:, None])
    assert (apart[0][partition.allowed] < h).all()
    assert (apart[1][partition.allowed] < w).all()


@given(st.integers(0, 100))
def test_gather_undoes_spread(seed):
    maps = np.random.default_rng(seed).random((4, 3, 4, 4), dtype=np.float32)
    whole = spread(maps, BY_HAND.index)
    back = np.stack([gather(head, BY_HAND.index) for head in whole], axis=1)
    np.testing.assert_array_equal(back, maps)
    assert whole.sum() == pytest.approx(maps.sum(), rel=1e-5)


def test_a_grid_that_windows_do_not_fill_is_declined():
    with pytest.raises(InputError, match="not cut evenly into windows of 4 × 4"):
        WindowPartition(10, 8, (4, 4))


@pytest.mark.parametrize("name", SWINS)
def test_index_and_mask_are_the_models_own(name):
    module = swin(name)
    layers, _, _ = record(module, picture())
    assert [layer.windows.partition.shift for layer in layers] == [(0, 0), (2, 2)] * 2
    for block, layer in zip(blocks_of(module), layers, strict=True):
        partition = layer.windows.partition
        numbers = torch.arange(partition.n_patches).float()
        grid = numbers.reshape(1, partition.rows, partition.columns, 1)
        rolled = torch.roll(grid, tuple(-s for s in block.shift_size), (1, 2))
        theirs = window_partition(rolled, tuple(block.window_size)).flatten(1)
        np.testing.assert_array_equal(layer.windows.index, theirs)
        if any(block.shift_size):
            np.testing.assert_array_equal(layer.windows.allowed, block.attn_mask.numpy() == 0)


@pytest.mark.parametrize("name", SWINS)
def test_weights_are_the_eager_softmaxs(name):
    """timm's own softmax, with fusion off, seen by hooks where it enters the dropout."""
    module = swin(name)
    layers, _, logits = record(module, picture())
    seen: list[torch.Tensor] = []
    for block in blocks_of(module):
        block.attn.fused_attn = False
        block.attn.attn_drop.register_forward_pre_hook(lambda _m, given: seen.append(given[0]))
    with torch.inference_mode():
        eager = module(picture())
    assert len(seen) == len(layers) == 4
    torch.testing.assert_close(logits, eager, atol=1e-5, rtol=1e-5)
    for layer, weights in zip(layers, seen, strict=True):
        np.testing.assert_allclose(layer.windows.weights, weights, atol=1e-5)
        whole = layer.weights
        np.testing.assert_allclose(whole.sum(-1), 1, atol=1e-5)
        np.testing.assert_array_equal(layer.row(5), whole[:, 5])
        assert whole[:, ~layer.allowed()].max() < 1e-30  # timm masks with -100
        assert layer.query_grid == layer.key_grid


@pytest.mark.parametrize("name", SWINS)
def test_the_whole_map_times_values_is_the_blocks_attention(name):
    """F · V, values in the picture's order, equals what the block hands to its projection."""
    module = swin(name)
    given, projected = [], []
    for block in blocks_of(module):
        block.attn.register_forward_pre_hook(lambda _m, i: given.append(i[0]))
        block.attn.proj.register_forward_pre_hook(lambda _m, i: projected.append(i[0]))
    layers, _, _ = record(module, picture())
    for block, layer, entered, expected in zip(
        blocks_of(module), layers, given, projected, strict=True
    ):
        index, heads = layer.windows.index, layer.n_heads
        values = _values(block.attn, entered).reshape(*index.shape, heads, -1)
        ordered = np.empty((index.size, heads, values.shape[-1]), dtype=np.float32)
        ordered[index] = values
        if layer.values is not None:
            np.testing.assert_allclose(layer.values, ordered.swapaxes(0, 1), atol=1e-6)
        output = np.einsum("hqk,khd->qhd", layer.weights, ordered).reshape(index.size, -1)
        np.testing.assert_allclose(output[index], expected, atol=1e-4)


def _values(attention, entered):
    """The last third of what the qkv layer gives, with the biases of its version."""
    out = torch.nn.functional.linear(entered, attention.qkv.weight, attention.qkv.bias)
    if getattr(attention, "v_bias", None) is not None:
        zeros = torch.zeros_like(attention.v_bias)
        out = out + torch.cat([zeros, zeros, attention.v_bias])
    return out[..., -out.shape[-1] // 3 :]


def test_scores_over_the_whole_picture_give_the_weights():
    layers, _, _ = record(swin("v1"), picture())
    for layer in layers:
        scores = layer.scores
        assert np.isneginf(scores[:, ~_same_window(layer)]).all()
        exponentials = np.exp(scores - scores.max(-1, keepdims=True))
        weights = exponentials / exponentials.sum(-1, keepdims=True)
        np.testing.assert_allclose(weights, layer.weights, atol=1e-6)


def _same_window(layer):
    partition = layer.windows.partition
    return np.stack([partition.members(patch).ravel() for patch in range(partition.n_patches)])


@pytest.mark.parametrize("name", SWINS)
def test_a_silenced_head_is_silent_in_every_window(name):
    module = swin(name)
    projected = []
    blocks_of(module)[1].attn.proj.register_forward_pre_hook(lambda _m, i: projected.append(i[0]))
    record(module, picture(), [SilenceHead(1, 1)])
    silent, heard = projected[0][..., 8:], projected[0][..., :8]
    assert float(silent.abs().max()) == 0
    assert float(heard.abs().amin()) > 0
    _, _, both = record(module, picture(2), [SilenceHead(1, 1)], [])
    _, _, plain = record(module, picture(2))
    torch.testing.assert_close(both[1], plain[1])  # the batch's other picture is left alone
    assert float((both[0] - plain[0]).abs().max()) > 1e-4


def test_an_edge_is_blocked_where_its_patches_stand():
    layers, _, _ = record(swin("v1"), picture())
    query = 3 * 24 + 2
    key = int(layers[1].row(query)[0].argmax())
    changed, _, _ = record(swin("v1"), picture(), [BlockEdge(1, 0, query, key)])
    row = changed[1].row(query)[0]
    expected = layers[1].row(query)[0].copy()
    expected[key] = 0
    np.testing.assert_allclose(row, expected / expected.sum(), atol=1e-6)
    np.testing.assert_array_equal(changed[1].row(query)[1], layers[1].row(query)[1])
    far = 16 * 24 - 1  # in another window: nothing was open between them
    untouched, _, _ = record(swin("v1"), picture(), [BlockEdge(0, 0, 0, far)])
    np.testing.assert_array_equal(untouched[0].weights, layers[0].weights)
    with pytest.raises(InputError, match="no patch 384"):
        record(swin("v1"), picture(), [BlockEdge(0, 0, 0, 384)])


@pytest.mark.parametrize("name", ["v1", "v2"])
def test_a_heads_own_weights_put_in_its_place_change_nothing(name):
    module = swin(name)
    layers, _, logits = record(module, picture())
    whole = layers[1].weights[0]
    _, _, same = record(module, picture(), [ReplaceWeights(1, 0, whole)])
    torch.testing.assert_close(same, logits, atol=1e-5, rtol=1e-5)
    with pytest.raises(InputError, match="between windows"):
        record(module, picture(), [ReplaceWeights(1, 0, np.full_like(whole, 1 / len(whole)))])
    with pytest.raises(InputError, match="over all patches of the picture"):
        record(module, picture(), [ReplaceWeights(1, 0, np.eye(16, dtype=np.float32))])


def test_a_patched_head_changes_one_patch():
    module = swin("v1")
    projected = []
    blocks_of(module)[1].attn.proj.register_forward_pre_hook(lambda _m, i: projected.append(i[0]))
    layers, _, _ = record(module, picture())
    record(module, picture(), [PatchHead(1, 0, 30, np.full(8, 7, dtype=np.float32))])
    window, position = layers[1].windows.partition.place_of(30)
    changed = (projected[0] != projected[1]).any(-1).nonzero()
    assert changed.tolist() == [[window, position]]
    assert projected[1][window, position, :8].tolist() == [7.0] * 8


def test_pixels_move_as_their_patches_do():
    pixels = np.arange(8 * 8 * 3).reshape(8, 8, 3)  # two pixels a patch
    moved = BY_HAND.rolled(pixels)
    assert np.array_equal(moved[0, 0], pixels[2, 2])
    assert np.array_equal(moved[-1, -1], pixels[1, 1])
    assert BY_HAND.rolled(np.arange(16).reshape(4, 4))[0].tolist() == [5, 6, 7, 4]


def test_a_windows_crop_is_what_the_model_has_side_by_side():
    pixels = np.arange(16).reshape(4, 4).repeat(2, axis=0).repeat(2, axis=1)
    for window, patches in enumerate(BY_HAND.index):
        crop = BY_HAND.crop(pixels, window)
        assert crop.shape == (4, 4)
        assert crop[::2, ::2].ravel().tolist() == patches.tolist()


def test_every_second_window_is_marked():
    marked = BY_HAND.chequered().astype(int)
    assert marked.tolist() == [[1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]]
    assert WindowPartition(4, 4, (2, 2)).chequered()[0].tolist() == [True, True, False, False]


def test_a_patch_near_the_middle_stands_in_a_windows_corner():
    assert WindowPartition(28, 28, (7, 7)).near_the_middle() == 13 * 28 + 13
    assert WindowPartition(4, 4, (4, 4)).near_the_middle() == 2 * 4 + 2  # one window: the centre


def test_pictures_of_one_window_each_are_read_alike_in_a_batch_and_alone():
    module = swin("v1", img_size=(16, 16))  # the second stage's 4 x 4 patches are one window
    pixels = picture(3)[..., :16, :16]
    recorder = Recorder(module_paths(module), lambda _: AttentionKind.ENCODER)
    with torch.inference_mode(), recorder:
        module(pixels)
    for row in range(3):
        alone, _, _ = record(module, pixels[row : row + 1])
        for call, layer in zip(recorder.calls, alone, strict=True):
            batched = call.layer_of(row, {}).windows
            assert batched is not None
            assert layer.windows is not None
            np.testing.assert_allclose(batched.weights, layer.windows.weights, atol=1e-6)
            assert batched.bias is not None
            assert layer.windows.bias is not None
            np.testing.assert_array_equal(batched.bias, layer.windows.bias)
