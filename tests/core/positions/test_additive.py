"""Biases on the scores: published slopes, T5's and timm's own functions, tables by hand."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core import InputError, positions


def test_slopes_of_eight_heads_are_the_papers():
    np.testing.assert_allclose(positions.alibi_slopes(8), [2.0**-i for i in range(1, 9)])


def test_slopes_of_twelve_heads_are_blooms():
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    for heads in (1, 6, 12, 16):
        reference = build_alibi_tensor(torch.ones(1, 2), heads, torch.float32)[:, 0, 1]
        np.testing.assert_allclose(positions.alibi_slopes(heads), reference.numpy(), rtol=1e-6)


def test_the_bias_by_hand():
    """Two heads: slopes 1/16 and 1/256."""
    bias = positions.alibi(3, 2)
    inf = np.inf
    np.testing.assert_allclose(
        bias[0], [[0, -inf, -inf], [-1 / 16, 0, -inf], [-2 / 16, -1 / 16, 0]]
    )
    np.testing.assert_allclose(bias[1, 2], [-2 / 256, -1 / 256, 0])
    open_bias = positions.alibi(3, 2, causal=False)
    np.testing.assert_allclose(open_bias, open_bias.swapaxes(1, 2))
    np.testing.assert_array_equal(np.tril(open_bias), np.tril(np.where(bias < -1, 0, bias)))


@given(
    st.integers(1, 300), st.integers(1, 300), st.booleans(), st.sampled_from([(32, 128), (8, 20)])
)
def test_buckets_are_t5s(queries, keys, bidirectional, sizes):
    from transformers.models.t5.modeling_t5 import T5Attention

    ahead = torch.arange(keys)[None] - torch.arange(queries)[:, None]
    reference = T5Attention._relative_position_bucket(
        ahead, bidirectional=bidirectional, num_buckets=sizes[0], max_distance=sizes[1]
    )
    ours = positions.t5_buckets(
        queries, keys, bidirectional=bidirectional, n_buckets=sizes[0], max_distance=sizes[1]
    )
    np.testing.assert_array_equal(ours, reference.numpy())


def test_a_buckets_number_is_added_to_all_its_pairs():
    buckets = positions.t5_buckets(3, 3)
    values = np.arange(32, dtype=np.float32)
    np.testing.assert_array_equal(
        positions.t5_bias(buckets, values), [[0, 17, 18], [1, 0, 17], [2, 1, 0]]
    )
    with pytest.raises(InputError, match="4 values came, but there is a bucket 18"):
        positions.t5_bias(buckets, values[:4])


@pytest.mark.parametrize("window", [1, 2, 7])
def test_swins_index_is_timms(window):
    from timm.models.swin_transformer import get_relative_position_index

    ours = positions.swin_relative_index(window)
    np.testing.assert_array_equal(ours, get_relative_position_index(window, window).numpy())
    assert len(np.unique(ours)) == (2 * window - 1) ** 2


def test_swins_bias_is_one_number_an_offset():
    table = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    bias = positions.swin_bias(table, 2)
    assert bias.shape == (3, 4, 4)
    assert bias[1, 0, 1] == bias[1, 2, 3]  # one patch to the right, in either row
    assert bias[1, 0, 1] != bias[1, 1, 0]
    with pytest.raises(InputError, match="9 rows, but a window of 3 × 3 patches has 25 offsets"):
        positions.swin_bias(table, 3)


def test_what_makes_no_bias_is_refused():
    with pytest.raises(InputError, match="0 positions"):
        positions.alibi(0, 8)
    with pytest.raises(InputError, match="0 heads have no slopes"):
        positions.alibi_slopes(0)
    with pytest.raises(InputError, match="are made at once"):
        positions.alibi(100_000, 8)
    with pytest.raises(InputError, match="Give 1 to 64"):
        positions.swin_relative_index(0)


def test_values_that_fall_by_the_bucket_both_ways_alike():
    values = positions.falling(0.5, n_buckets=8)
    assert values.tolist() == [0, -0.5, -1, -1.5] * 2
