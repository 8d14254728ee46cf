"""Distances of heads against scipy's, and a map that keeps what lies in a plane."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, jensenshannon

from core.errors import InputError
from core.explain.attention.head_distances import HeadDistances, head_distances, head_map
from core.trace import AttentionKind, AttentionLayer


def layer(weights: np.ndarray, at: int = 0) -> AttentionLayer:
    return AttentionLayer(
        at, AttentionKind.ENCODER, 1.0, recorded_weights=weights.astype(np.float32)
    )


def random_layers(seed: int, *heads: int) -> list[AttentionLayer]:
    random = np.random.default_rng(seed)
    return [
        layer(random.dirichlet(np.ones(5) / 3, (count, 4)), at) for at, count in enumerate(heads)
    ]


def test_the_mean_divergence_is_scipys(monkeypatch: pytest.MonkeyPatch):
    module = sys.modules[head_distances.__module__]
    monkeypatch.setattr(module, "ROWS_AT_A_TIME", 40)  # two heads at a time
    layers = random_layers(0, 3, 2)
    found = head_distances(layers)
    assert found.heads == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1))
    rows = np.concatenate([one.weights for one in layers])
    for at, one in enumerate(rows):
        for beside, other in enumerate(rows):
            pairs = zip(one, other, strict=True)
            expected = sum(float(jensenshannon(p, q, base=2)) ** 2 for p, q in pairs) / len(one)
            assert found.divergence[at, beside] == pytest.approx(expected, abs=1e-6)


def test_heads_that_share_nothing_are_one_bit_apart_and_the_nearest_come_first():
    def to(*keys: int) -> np.ndarray:
        return np.eye(4)[list(keys)]

    found = head_distances([layer(np.stack([to(0, 0), to(1, 1), to(0, 1)])), layer(to(0, 0)[None])])
    expected = [[0, 1, 0.5, 0], [1, 0, 0.5, 1], [0.5, 0.5, 0, 0.5], [0, 1, 0.5, 0]]
    np.testing.assert_allclose(found.divergence, expected, atol=1e-7)
    assert found.nearest((0, 0), 2) == ((1, 0), (0, 2))
    assert found.nearest((0, 0), 9) == ((1, 0), (0, 2), (0, 1))


@given(st.integers(0, 10**6))
def test_divergences_are_symmetric_and_at_most_a_bit(seed: int):
    divergence = head_distances(random_layers(seed, 2, 3)).divergence
    np.testing.assert_array_equal(divergence, divergence.T)
    assert np.all(np.diag(divergence) == 0)
    assert divergence.min() >= 0
    assert divergence.max() <= 1


def test_a_plane_is_kept_whole_and_a_solid_is_not():
    random = np.random.default_rng(2)
    flat = random.normal(size=(7, 2)) / 5
    names = tuple((0, head) for head in range(7))
    drawn = head_map(HeadDistances(names, cdist(flat, flat, "sqeuclidean").astype(np.float32)))
    np.testing.assert_allclose(cdist(drawn.points, drawn.points), cdist(flat, flat), atol=1e-3)
    assert drawn.share == pytest.approx(1, abs=1e-4)
    assert np.all(drawn.points[np.abs(drawn.points).argmax(axis=0), [0, 1]] > 0)
    corners = np.sqrt(0.5) * np.eye(4)  # four heads that share nothing: three equal axes
    solid = HeadDistances(names[:4], cdist(corners, corners, "sqeuclidean").astype(np.float32))
    assert head_map(solid).share == pytest.approx(2 / 3, abs=1e-5)


def test_one_head_or_equal_heads_stand_in_the_middle():
    for count in (1, 3):
        drawn = head_map(head_distances([layer(np.full((count, 2, 4), 0.25))]))
        np.testing.assert_allclose(drawn.points, 0, atol=1e-6)
        assert drawn.share == 1


def test_layers_that_look_at_other_keys_are_refused():
    with pytest.raises(InputError, match="layers differ"):
        head_distances([layer(np.full((1, 2, 4), 0.25)), layer(np.full((1, 2, 2), 0.5))])
