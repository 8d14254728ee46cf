import numpy as np
import pytest

from core.explain.attention.head_formation import pattern_masses, relative_entropy
from core.explain.attention.role_patterns import what_followed

EVEN = np.full((3, 3), 1 / 3, dtype=np.float32)
BACK = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=np.float32)  # the token before


def test_a_head_that_learns_to_look_back():
    masses = pattern_masses(np.stack([EVEN, BACK]), np.array([True, False, False]))
    np.testing.assert_allclose(masses["previous"], [1 / 3, 1])  # two queries have one before
    np.testing.assert_allclose(masses["itself"], [1 / 3, 1 / 3])
    np.testing.assert_allclose(masses["next"], [1 / 3, 0])
    np.testing.assert_allclose(masses["first"], [1 / 3, 0])  # the third query alone
    np.testing.assert_allclose(masses["special"], [1 / 3, 2 / 3])
    assert "special" not in pattern_masses(EVEN[None])


def test_a_causal_head_looks_at_what_followed_its_token_before():
    said = ("A", "B", "B", "A")  # at query 2, key 2 would be itself
    expected = np.zeros((4, 4), dtype=bool)
    expected[3, 1] = True
    np.testing.assert_array_equal(what_followed(said), expected)
    maps = np.zeros((2, 4, 4), dtype=np.float32)
    maps[:, :, 0] = 1
    maps[1, 3] = [0.25, 0.75, 0, 0]
    masses = pattern_masses(maps, said=said)
    np.testing.assert_allclose(masses["followed"], [0, 0.75])
    assert "next" not in masses
    assert "followed" not in pattern_masses(maps, said=("A", "B", "C", "D"))
    assert "followed" not in pattern_masses(maps)


def test_evenness_is_one_where_all_keys_weigh_alike_and_zero_where_one_does():
    np.testing.assert_allclose(relative_entropy(np.stack([EVEN, BACK])), [1, 0], atol=1e-6)
    causal = np.array([[[1, 0, 0], [0.5, 0.5, 0], [1, 0, 0]]], dtype=np.float32)
    assert relative_entropy(causal, causal=True) == pytest.approx([0.5])  # of two choices
    assert relative_entropy(causal)[0] == pytest.approx(1 / 3 / np.log2(3), rel=1e-5)
