"""Sinusoidal positions: values worked by hand, the library's table, and the rotation in them."""

import math

import numpy as np
import pytest
import transformers
from hypothesis import given
from hypothesis import strategies as st

from core import InputError, positions
from core.positions import Layout

WIDTHS = st.integers(1, 40).map(lambda half: 2 * half)
BASES = st.sampled_from((10.0, 100.0, 10000.0, 500000.0))


def test_the_first_rows_of_four_dimensions_are_those_computed_by_hand():
    """ω = 1 and 10000^(−2/4) = 1/100."""
    expected = [
        [0, 1, 0, 1],
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)],
        [math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)],
    ]
    table = positions.sinusoidal(3, 4)
    assert table.dtype == np.float32
    np.testing.assert_allclose(table, expected, atol=1e-7)
    assert not table.flags.writeable


def test_the_concatenated_table_is_marians():
    """transformers' own table, and the paper's is one permutation of dimensions away."""
    from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

    assert transformers.__version__
    reference = MarianSinusoidalPositionalEmbedding(40, 16).create_weight().numpy()
    halves = positions.sinusoidal(40, 16, layout=Layout.CONCATENATED)
    np.testing.assert_allclose(halves, reference, atol=1e-6)
    interleaved = positions.sinusoidal(40, 16)
    np.testing.assert_array_equal(halves[:, :8], interleaved[:, 0::2])
    np.testing.assert_array_equal(halves[:, 8:], interleaved[:, 1::2])


def test_tensor2tensors_table_is_no_permutation_of_the_papers():
    """As transformers' M2M-100 copies it: the exponent is divided by d/2 − 1, not by d/2."""
    from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding

    width = 512
    copied = M2M100SinusoidalPositionalEmbedding.get_embedding(40, width).numpy()
    table = positions.sinusoidal(40, width, layout=Layout.CONCATENATED)
    omega = 10000.0 ** (-np.arange(width // 2) / (width // 2 - 1))
    angles = np.arange(40)[:, None] * omega
    np.testing.assert_allclose(copied, np.c_[np.sin(angles), np.cos(angles)], atol=1e-4)
    assert 2 * math.pi / omega[-1] == pytest.approx(62_832, abs=1)
    assert positions.wavelengths(width)[-1] == pytest.approx(60_611, abs=1)
    nearest = [np.abs(table - column[:, None]).max(axis=0).min() for column in copied.T]
    assert max(nearest) > 0.03  # a column that no column of the paper's table equals


def test_wavelengths_run_from_two_pi_to_the_papers_bound():
    lengths = positions.wavelengths(512)
    assert lengths[0] == pytest.approx(2 * math.pi)
    assert lengths[-1] == pytest.approx(2 * math.pi * 10000 ** (510 / 512))
    assert lengths[-1] == pytest.approx(60_611, abs=1)  # neither 10000 nor 2π · 10000
    ratios = lengths[1:] / lengths[:-1]
    np.testing.assert_allclose(ratios, ratios[0])  # a geometric progression


@given(st.integers(0, 300), st.integers(-200, 200), WIDTHS, BASES, st.sampled_from(list(Layout)))
def test_a_shift_is_one_orthogonal_matrix_for_all_positions(at, k, width, base, layout):
    start = max(at, -k)
    table = positions.sinusoidal(start + abs(k) + 1, width, base, layout)
    matrix = positions.shift_matrix(k, width, base, layout)
    np.testing.assert_allclose(matrix @ table[start], table[start + k], atol=1e-5)
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(width), atol=1e-6)


def test_the_matrix_is_block_diagonal_in_the_papers_order():
    """ω = 1 and 1/100, k = 3."""
    s1, c1, s2, c2 = math.sin(3), math.cos(3), math.sin(0.03), math.cos(0.03)
    expected = [[c1, s1, 0, 0], [-s1, c1, 0, 0], [0, 0, c2, s2], [0, 0, -s2, c2]]
    np.testing.assert_allclose(positions.shift_matrix(3, 4), expected, atol=1e-7)


@given(st.integers(0, 200), st.integers(0, 200), WIDTHS, BASES)
def test_the_dot_product_of_two_positions_knows_only_their_distance(i, j, width, base):
    table = positions.sinusoidal(201, width, base)
    by_offset = positions.dot_by_offset(np.array([i - j, j - i], dtype=float), width, base)
    np.testing.assert_allclose(by_offset, table[i] @ table[j], atol=1e-3)


def test_the_nearest_return_is_the_one_that_trying_every_offset_finds():
    for width, base in ((2, 10000.0), (4, 10.0), (16, 100.0)):
        table = positions.sinusoidal(2001, width, base).astype(float)
        gaps = np.linalg.norm(table[1:] - table[0], axis=1)
        k, distance, one = positions.nearest_return(width, base, 2000)
        assert k == int(np.argmin(gaps)) + 1
        assert distance == pytest.approx(gaps.min(), abs=1e-6)
        assert one == pytest.approx(gaps[0], abs=1e-6)


def test_two_dimensions_return_after_710_positions_but_never_quite():
    """710 is nearly 113 turns: 113 · 2π = 709.99994."""
    k, distance, _ = positions.nearest_return(2, up_to=9999)
    assert k == 710
    assert distance == pytest.approx(2 * abs(math.sin(355)), rel=1e-6)
    assert 0 < distance < 1e-4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 8), "0 positions leave nothing to encode"),
        ((-3, 8), "-3 positions"),
        ((4, 65), "d_model is 65, an odd number.* Give 64 or 66"),
        ((4, 0), "d_model is 0"),
        ((10**9, 512), "are made at once. Take fewer"),
        ((4, 8, 1.0), "The base is 1. Give a number above 1"),
        ((4, 8, math.nan), "The base is nan"),
    ],
)
def test_what_makes_no_table_is_refused_with_a_way_out(arguments, message):
    with pytest.raises(InputError, match=message):
        positions.sinusoidal(*arguments)


def test_a_wave_goes_through_the_table():
    table = positions.sinusoidal(9, 6, 100.0)
    for dim in range(6):
        found = positions.wave(np.arange(9.0), dim, 6, 100.0)
        np.testing.assert_allclose(found, table[:, dim], atol=1e-6)


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize("k", [-7, 0, 5])
def test_what_a_shift_promises_holds_to_rounding(layout, k):
    found = positions.check_shift(k, 8, 10000.0, layout, n_positions=50)
    assert found.error < 1e-5
    assert found.off_orthogonal < 1e-6
    assert found.length == 2
    assert found.shortest == pytest.approx(2, abs=1e-5)
    assert found.longest == pytest.approx(2, abs=1e-5)


def test_dot_products_know_only_the_distance():
    dots = positions.dot_products(12, 8)
    assert positions.spread_along_diagonals(dots) < 1e-5
    assert positions.spread_along_diagonals(np.array([[0, 9], [1, 4]], dtype=np.float32)) == 4
