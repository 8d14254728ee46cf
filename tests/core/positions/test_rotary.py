"""Rotary positions: the library's rotation, and products that know only the distance."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core import InputError, positions
from core.positions import Layout


def vectors(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def test_a_pair_is_turned_by_position_times_frequency():
    """At position 2 and ω = 1: (1, 0) becomes (cos 2, sin 2)."""
    turned = positions.rotary(np.array([[1, 0]] * 3, dtype=np.float32))
    np.testing.assert_allclose(turned[2], [np.cos(2), np.sin(2)], atol=1e-6)
    np.testing.assert_array_equal(turned[0], [1, 0])


def test_concatenated_pairs_are_llamas():
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    queries, keys = vectors(2, 9, 8), vectors(2, 9, 8, seed=1)
    angles = torch.from_numpy(positions.rotary_angles(9, 8, 500.0).copy())
    cosine, sine = (torch.cat([f(angles)] * 2, -1)[None] for f in (torch.cos, torch.sin))
    expected = apply_rotary_pos_emb(
        torch.from_numpy(queries)[None], torch.from_numpy(keys)[None], cosine, sine
    )
    for given_vectors, reference in zip((queries, keys), expected, strict=True):
        turned = positions.rotary(given_vectors, base=500.0, layout=Layout.CONCATENATED)
        np.testing.assert_allclose(turned, reference[0].numpy(), atol=1e-5)


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 300), st.integers(1, 16))
def test_rotated_products_are_relative(i, j, shift, half):
    query, key = vectors(2, 1, 2 * half, seed=half)

    def product(a: int, b: int) -> float:
        turned = positions.rotary(query, np.array([a])), positions.rotary(key, np.array([b]))
        return float(turned[0][0] @ turned[1][0])

    assert product(i, j) == pytest.approx(product(i + shift, j + shift), abs=2e-3)
    (alone,) = positions.products_by_offset(query[0], key[0], np.array([i - j]))
    assert product(i, j) == pytest.approx(alone, abs=2e-3)


def test_rotation_keeps_lengths():
    given_vectors = vectors(3, 20, 12)
    turned = positions.rotary(given_vectors)
    lengths = (np.linalg.norm(array, axis=-1) for array in (turned, given_vectors))
    np.testing.assert_allclose(*lengths, rtol=1e-5)


def test_vectors_of_ones_give_the_sinusoidal_dot_product():
    ones = np.ones(16, dtype=np.float32)
    offsets = np.arange(50)
    np.testing.assert_allclose(
        positions.products_by_offset(ones, ones, offsets),
        2 * positions.dot_by_offset(offsets.astype(float), 16),
        atol=1e-5,
    )


def test_the_bound_falls_from_the_mean_of_one_to_all_pairs():
    bound = positions.decay_bound(np.array([0, 1, 50, 1000]), 64)
    assert bound[0] == pytest.approx(33 / 2)  # (1 + 2 + … + 32) / 32
    assert bound[0] > bound[1] > bound[2] > bound[3]


def test_what_can_not_be_turned_is_refused():
    with pytest.raises(InputError, match="d_model is 5, an odd number"):
        positions.rotary(vectors(3, 5))
    with pytest.raises(InputError, match="2 positions came for 3 vectors"):
        positions.rotary(vectors(3, 4), np.array([0, 1]))
    with pytest.raises(InputError, match="0 positions"):
        positions.rotary_angles(0, 8)


def test_wrapped_angles_point_the_same_way():
    angles = np.array([0, 3, 4, -4, 7], dtype=np.float32)
    found = positions.wrapped(angles)
    np.testing.assert_allclose(np.cos(found), np.cos(angles), atol=1e-5)
    assert (np.abs(found) <= np.pi).all()
    assert found[2] == pytest.approx(4 - 2 * np.pi)
