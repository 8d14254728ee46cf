"""Hiding tokens, worked by hand, and what must hold for any map."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from core.explain.attention.hide_tokens import hide_tokens, is_punctuation

MAPS = np.array([[[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.2, 0.2, 0.6]]], dtype=np.float32)
ALL = np.array([True, True, True])
WITHOUT_FIRST = np.array([False, True, True])


def test_a_hidden_key_takes_its_column_and_its_mass_is_told():
    reduced = hide_tokens(MAPS, kept_queries=ALL, kept_keys=WITHOUT_FIRST, renormalise=False)
    np.testing.assert_allclose(reduced.maps[0], [[0.25, 0.25], [1, 0], [0.2, 0.6]])
    np.testing.assert_allclose(reduced.removed[0], [0.5, 0, 0.2])


def test_renormalised_rows_sum_to_one_again():
    reduced = hide_tokens(MAPS, kept_queries=ALL, kept_keys=WITHOUT_FIRST, renormalise=True)
    np.testing.assert_allclose(reduced.maps[0], [[0.5, 0.5], [1, 0], [0.25, 0.75]])
    np.testing.assert_allclose(reduced.removed[0], [0.5, 0, 0.2])


def test_a_row_that_looked_only_at_hidden_tokens_stays_zero():
    without_second = np.array([True, False, True])
    reduced = hide_tokens(MAPS, kept_queries=ALL, kept_keys=without_second, renormalise=True)
    np.testing.assert_array_equal(reduced.maps[0, 1], [0, 0])
    assert reduced.removed[0, 1] == 1


def test_a_hidden_query_takes_its_row():
    reduced = hide_tokens(MAPS, kept_queries=WITHOUT_FIRST, kept_keys=ALL, renormalise=False)
    np.testing.assert_array_equal(reduced.maps[0], MAPS[0, 1:])


def test_punctuation_is_told_from_words_and_from_special_tokens():
    tokens = (".", "Ġ,", "##!", "▁", "cat", "[CLS]", "n't", "€", "…")
    assert is_punctuation(tokens).tolist() == [
        True, True, True, False, False, False, False, True, True,
    ]  # fmt: skip


@given(
    npst.arrays(np.float32, (2, 4, 5), elements=st.floats(0, 1, width=32)),
    npst.arrays(bool, 5).filter(lambda kept: kept.any()),
)
def test_what_is_kept_and_what_is_removed_make_the_whole(maps: np.ndarray, kept: np.ndarray):
    reduced = hide_tokens(
        maps, kept_queries=np.ones(4, dtype=bool), kept_keys=kept, renormalise=False
    )
    np.testing.assert_allclose(
        reduced.maps.sum(-1) + reduced.removed, maps.sum(-1), rtol=1e-5, atol=1e-6
    )
