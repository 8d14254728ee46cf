"""Heads of two tokenizers on one axis, by hand."""

import numpy as np
import pytest

from core.explain.attention.merge_words import Words
from core.explain.attention.model_pairs import like_heads, on_stretches

PIECES = Words(("un", "do", ""), np.array([2, 0, 0, 1]))  # [CLS] u ##n do
MAP = np.array(
    [[[1, 0, 0, 0], [0.5, 0.1, 0.1, 0.3], [0.1, 0.3, 0.5, 0.1], [0, 0.2, 0.2, 0.6]]],
    dtype=np.float32,
)


def test_pieces_that_look_are_averaged_and_those_looked_at_summed():
    found = on_stretches(MAP, PIECES, 2)
    np.testing.assert_allclose(found[0], [[0.5, 0.2, 0.3], [0.4, 0.6, 0]], atol=1e-7)


def test_without_special_tokens_nothing_goes_elsewhere():
    whole = Words(("un", "do"), np.array([0, 1]))
    found = on_stretches(np.eye(2, dtype=np.float32)[None], whole, 2)
    assert found[0].tolist() == [[1, 0, 0], [0, 1, 0]]


def test_a_sinks_column_is_elsewhere_though_no_row_is_its():
    sink = Words(("un", "do", ""), np.array([0, 1, 2]))
    rows = np.array([[[0.2, 0.3, 0.5], [0, 0.9, 0.1]]], dtype=np.float32)
    np.testing.assert_array_equal(on_stretches(rows, sink, 2), rows)


def test_the_head_that_looks_most_alike_comes_first():
    one = np.array([[1, 0, 0], [0.5, 0.5, 0]], dtype=np.float32)
    far = np.array([[0, 1, 0], [0, 0.5, 0.5]], dtype=np.float32)  # shares 0 and 0.5
    near = np.array([[0.8, 0.2, 0], [0.5, 0.5, 0]], dtype=np.float32)
    found = like_heads(one, [np.stack([far, near]), one[None]])
    assert [(like.layer, like.head) for like in found] == [(1, 0), (0, 1), (0, 0)]
    assert [like.shared for like in found] == pytest.approx([1, 0.9, 0.25])
