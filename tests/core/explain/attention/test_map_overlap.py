"""Two maps of three tokens, by hand; and the two shares, which sum to one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.attention.map_overlap import moved_along, moved_attention, shared_attention

ONE = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]], dtype=np.float32)
OTHER = np.array([[0, 1, 0], [0.5, 0.5, 0], [0.4, 0.3, 0.3]], dtype=np.float32)


def test_what_two_maps_share_by_hand():
    assert shared_attention(ONE, OTHER) == pytest.approx((0 + 1 + 0.8) / 3)
    assert moved_attention(ONE, OTHER) == pytest.approx((1 + 0 + 0.2) / 3)


@given(st.integers(0, 99))
def test_what_stayed_and_what_moved_sum_to_one(seed):
    one, other = np.random.default_rng(seed).dirichlet(np.ones(4), (2, 4)).astype(np.float32)
    assert shared_attention(one, other) + moved_attention(one, other) == pytest.approx(1, abs=1e-5)


def test_a_head_of_places_moves_with_them():
    moved = moved_along(ONE, (2, 0, 1))
    assert moved[0].tolist() == pytest.approx([0.5, 0.2, 0.3])  # token 0 stands where 2 was
