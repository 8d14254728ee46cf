"""Alignments read off small maps by hand."""

import numpy as np
import pytest

from core.explain.attention.alignment import agreement, alignment

MAP = np.float32([[0.7, 0.1, 0.1, 0.1], [0.0, 0.5, 0.0, 0.5], [0.1, 0.2, 0.1, 0.6]])
END = np.array([False, False, False, True])


def test_what_a_map_says():
    found = alignment(MAP, END)
    assert found.best.tolist() == [0, 1, 3]
    assert found.end_mass == pytest.approx((0.1 + 0.5 + 0.6) / 3)
    assert found.at_end == 1
    assert found.unread.tolist() == [2]
    assert found.uniform_entropy == 2
    first = -(0.7 * np.log2(0.7) + 3 * 0.1 * np.log2(0.1))
    third = -(2 * 0.1 * np.log2(0.1) + 0.2 * np.log2(0.2) + 0.6 * np.log2(0.6))
    assert found.entropy == pytest.approx((first + 1 + third) / 3, rel=1e-5)


def test_looking_everywhere_alike_has_the_largest_entropy():
    found = alignment(np.full((2, 4), 0.25, dtype=np.float32), END)
    assert found.entropy == pytest.approx(found.uniform_entropy)


def test_agreement_compares_the_largest_of_each_row():
    drops = np.float32([[2.0, 0.1, 0.0, 0.0], [0.0, 0.1, 3.0, 0.0], [0.0, 0.0, 0.0, 0.2]])
    assert agreement(MAP, drops) == (0, 2)
