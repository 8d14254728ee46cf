"""Rollout against hand-worked products, its identities, and a plain reference."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.explain.flow.rollout import (
    HeadFusion,
    attention_rollout,
    frames_of_maps,
    fuse_heads,
    fused_maps,
    rollout_film,
    rollout_row,
)
from core.trace import AttentionKind, AttentionLayer, Trace


def trace_of(maps: np.ndarray, kind: AttentionKind = AttentionKind.ENCODER) -> Trace:
    """A trace with (layer, head, query, key) recorded weights."""
    layers = tuple(
        AttentionLayer(index, kind, 1.0, recorded_weights=np.asarray(weights, np.float32))
        for index, weights in enumerate(maps)
    )
    return Trace(model_id="made up", layers={kind: layers}, states={})


def random_maps(seed: int, *, layers: int = 3, heads: int = 2, size: int = 5) -> np.ndarray:
    raw = np.random.default_rng(seed).exponential(size=(layers, heads, size, size)) ** 3
    return (raw / raw.sum(axis=-1, keepdims=True)).astype(np.float32)


def test_two_layers_worked_by_hand():
    first = [[[1.0, 0.0], [0.5, 0.5]]]
    second = [[[0.0, 1.0], [1.0, 0.0]]]
    # Â1 = [[1, 0], [.25, .75]], Â2 = [[.5, .5], [.5, .5]], Â2 Â1 = [[.625, .375], [.625, .375]]
    rollout = attention_rollout(trace_of(np.array([first, second])))
    assert np.allclose(rollout, [[0.625, 0.375], [0.625, 0.375]])


def test_without_residual_it_is_the_plain_product_last_layer_leftmost():
    maps = random_maps(1)
    means = maps.mean(axis=1)
    expected = means[2] @ means[1] @ means[0]
    assert np.allclose(attention_rollout(trace_of(maps), residual=0), expected, atol=1e-6)


def test_residual_one_is_the_identity():
    assert np.array_equal(attention_rollout(trace_of(random_maps(2)), residual=1), np.eye(5))


def test_uniform_attention_gives_a_flat_rollout():
    uniform = np.full((4, 2, 6, 6), 1 / 6, dtype=np.float32)
    assert np.allclose(attention_rollout(trace_of(uniform), residual=0), 1 / 6)


@given(
    seed=st.integers(0, 1000),
    residual=st.floats(0, 1, width=32),
    fusion=st.sampled_from(["mean", "max", "min"]),
    discard=st.floats(0, 0.95),
    start=st.integers(0, 2),
)
def test_rows_sum_to_one_and_a_row_alone_equals_the_whole(
    seed: int, residual: float, fusion: HeadFusion, discard: float, start: int
):
    trace = trace_of(random_maps(seed))
    settings: dict[str, Any] = {
        "residual": residual,
        "head_fusion": fusion,
        "discard": discard,
        "start_layer": start,
    }
    whole = attention_rollout(trace, **settings)
    assert np.allclose(whole.sum(axis=1), 1, atol=1e-5)
    assert (whole >= 0).all()
    for query in range(5):
        assert np.allclose(rollout_row(trace, query, **settings), whole[query], atol=1e-5)


def test_the_film_ends_with_the_rollout_and_begins_with_one_layer():
    trace = trace_of(random_maps(3))
    film = rollout_film(trace, 2)
    assert film.shape == (3, 5)
    assert np.allclose(film[-1], rollout_row(trace, 2), atol=1e-6)
    first = 0.5 * trace.attention(0).weights.mean(axis=0)[2] + 0.5 * np.eye(5)[2]
    assert np.allclose(film[0], first, atol=1e-6)


def test_dividing_columns_instead_of_rows_would_be_caught():
    """The most copied rollout code divides by the wrong axis: rows then miss one by far."""
    maps = random_maps(4)
    maxima = maps[0].max(axis=0)
    wrong = maxima / maxima.sum(axis=-1)  # no keepdims: broadcasts over columns
    assert np.abs(wrong.sum(axis=-1) - 1).max() > 0.05
    right = fuse_heads(maps[0], head_fusion="max")
    assert np.allclose(right.sum(axis=-1), 1)


def test_discarding_keeps_the_largest_weights_of_the_whole_map():
    weights = np.array([[[0.7, 0.2, 0.1], [0.4, 0.35, 0.25], [0.05, 0.05, 0.9]]], np.float32)
    fused = fuse_heads(weights, discard=0.5)  # the 4 smallest of 9 go: .05, .05, .1, .2
    assert np.allclose(fused, [[1, 0, 0], [0.4, 0.35, 0.25], [0, 0, 1]])


def test_a_row_that_loses_everything_looks_at_itself():
    weights = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]], np.float32)
    assert np.allclose(fuse_heads(weights, head_fusion="min"), [[1, 0], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"residual": 1.1}, "0 to 1"),
        ({"discard": 1.0}, "below 1"),
        ({"start_layer": 3}, "0 to 2"),
    ],
)
def test_values_out_of_range_are_refused(change: dict[str, Any], message: str):
    with pytest.raises(InputError, match=message):
        attention_rollout(trace_of(random_maps(5)), **change)


def test_cross_attention_and_maps_of_several_sizes_are_refused():
    with pytest.raises(InputError, match="self-attention"):
        attention_rollout(trace_of(random_maps(6), AttentionKind.CROSS), AttentionKind.CROSS)
    small, large = random_maps(7, size=4)[:1], random_maps(7, size=5)[:1]
    layers = (trace_of(small).attention(0), trace_of(large).attention(0))
    mixed = Trace(model_id="swin", layers={AttentionKind.ENCODER: layers}, states={})
    with pytest.raises(InputError, match="different grids"):
        attention_rollout(mixed)


def test_frames_are_every_querys_film_with_the_identity_first():
    trace = trace_of(random_maps(21))
    frames = frames_of_maps(fused_maps(trace), residual=0.3)
    assert np.array_equal(frames[0], np.eye(5))
    for query in range(5):
        film = rollout_film(trace, query, residual=0.3)
        assert np.allclose(frames[1:, query], film, atol=1e-6)
    with pytest.raises(InputError, match="0 to 1, not 2"):
        frames_of_maps(fused_maps(trace), residual=2)
