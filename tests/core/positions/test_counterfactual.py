"""Other positions on real queries and keys: by hand, and against a model that has them."""

from dataclasses import replace

import numpy as np
import pytest

import core
from core import AttentionKind, DropPositions, InputError, positions
from core.trace import AttentionLayer, softmax

TEXT = "the cat sat on a street ."


@pytest.fixture
def layer() -> AttentionLayer:
    generator = np.random.default_rng(0)
    q, k, v = generator.normal(size=(3, 2, 5, 8)).astype(np.float32)
    return AttentionLayer(0, AttentionKind.ENCODER, 8**-0.5, q, k, v)


def test_a_bias_is_added_before_the_softmax(layer):
    bias = positions.alibi(5, 2, causal=False)[1]
    found = positions.biased(layer, 1, bias)
    np.testing.assert_allclose(found.weights, layer.weights[1], atol=1e-6)
    np.testing.assert_allclose(found.changed, softmax(layer.scores[1] + bias), atol=1e-6)
    with pytest.raises(ValueError, match="a bias of"):
        positions.biased(layer, 1, bias[:3])


def test_the_causal_bias_leaves_nothing_of_the_future(layer):
    found = positions.biased(layer, 0, positions.alibi(5, 2)[0])
    assert np.all(np.triu(found.changed, 1) == 0)
    np.testing.assert_allclose(found.changed.sum(1), 1, rtol=1e-5)


def test_rotation_changes_scores_by_distance_only(layer):
    """Equal queries and equal keys everywhere: the map becomes constant along its diagonals."""
    same = replace(
        layer,
        queries=np.repeat(layer.queries[:, :1], 5, axis=1),
        grouped_keys=np.repeat(layer.grouped_keys[:, :1], 5, axis=1),
    )
    found = positions.rotated(same, 0)
    np.testing.assert_allclose(found.weights, 0.2, atol=1e-6)
    for offset in range(-4, 5):
        assert np.ptp(np.diagonal(found.added, offset)) < 1e-5
    assert np.ptp(found.changed) > 1e-2


def test_an_existing_mask_stays(layer):
    bias = np.where(np.tri(5, dtype=bool), 0, -np.inf).astype(np.float32)[None]
    found = positions.rotated(replace(layer, bias=bias), 1)
    assert np.all(np.triu(found.changed, 1) == 0)
    assert np.isfinite(found.added).all()


def test_rotating_a_llama_without_its_rotation_gives_its_own_scores(tiny_checkpoint):
    """Its pairs are half a head apart; the first layer's input is the same with and without."""
    model = core.load(tiny_checkpoint("llama"))
    bare = model.trace(TEXT, interventions=[DropPositions()]).attention(0)
    own = model.trace(TEXT).attention(0)
    order = np.arange(8).reshape(2, 4).T.ravel()  # halves to pairs
    paired = replace(
        bare, queries=bare.queries[..., order], grouped_keys=bare.grouped_keys[..., order]
    )
    for head in range(own.n_heads):
        found = positions.rotated(paired, head)
        np.testing.assert_allclose(found.changed, own.weights[head], atol=1e-5)


def test_hidden_queries_are_told():
    weights = np.full((1, 2, 2), 0.5, dtype=np.float32)
    hidden = AttentionLayer(0, AttentionKind.ENCODER, 1.0, recorded_weights=weights)
    with pytest.raises(InputError, match="hides queries and keys"):
        positions.rotated(hidden, 0)
