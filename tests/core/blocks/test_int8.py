"""Absmax int8 by hand, its bound of half a step, and what a block contains."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blocks.int8 import absmax_int8, quantise, relative_error, with_outlier
from core.errors import InputError

SMALLEST = 127 * np.finfo(np.float64).tiny  # absmax whose step is a normal float64


def test_int8_has_its_result_on_the_left():
    codes, step = absmax_int8(np.array([-2.0, 0.0, 1.0, 0.507]))
    assert codes.tolist() == [-127, 0, 64, 32]
    assert step == 2 / 127


@given(st.lists(st.floats(-1e300, 1e300) | st.floats(-1e-300, 1e-300), min_size=1, max_size=50))
def test_int8s_error_is_half_a_step(values: list[float]):
    array = np.array(values, np.float64)
    codes, step = absmax_int8(array)
    assert np.abs(codes).max() <= 127
    if np.abs(array).max() < SMALLEST:
        assert (codes == 0).all()
        assert step == 0
    else:
        assert step > 0
        assert np.abs(codes * step - array).max() <= step / 2 * (1 + 1e-9)


def test_a_step_that_would_be_subnormal_is_none():
    kept, step = absmax_int8(np.array([SMALLEST, -SMALLEST / 2]))
    assert kept.tolist() == [127, -64]
    assert step == SMALLEST / 127
    for lost in (5e-324, np.nextafter(SMALLEST, 0)):
        codes, step = absmax_int8(np.array([lost, 0]))
        assert (codes.tolist(), step) == ([0, 0], 0)
    found = quantise(np.array([[1e-45, 0.0], [2e-36, -1e-36]], np.float32), 2)
    assert found.codes.tolist() == [[0, 0], [127, -64]]
    assert found.steps.tolist() == [0, np.float32(2e-36) / 127]


def test_blocks_have_steps_of_their_own():
    matrix = np.array([[1.0, -0.5, 8.0], [2.0, 0.0, 0.0]], np.float32)
    found = quantise(matrix, 2)
    assert found.steps.tolist() == pytest.approx([1 / 127, 8 / 127, 0])
    assert found.codes.tolist() == [[127, -64, 127], [32, 0, 0]]
    assert found.bytes_stored == 6 + 3 * 4
    np.testing.assert_allclose(found.restored, [[1, -64 / 127, 8], [32 * 8 / 127, 0, 0]], rtol=1e-6)


def test_one_block_is_the_whole_matrix():
    matrix = np.random.default_rng(0).normal(size=(4, 5)).astype(np.float32)
    codes, step = absmax_int8(matrix.astype(np.float64))
    found = quantise(matrix)
    assert found.codes.tolist() == codes.tolist()
    assert found.steps.tolist() == pytest.approx([step])
    assert quantise(matrix, 10**12).steps.tolist() == found.steps.tolist()  # and no padding to it


def test_an_outlier_harms_its_own_block_alone():
    matrix = np.random.default_rng(0).normal(size=(16, 64)).astype(np.float32)
    spoiled = matrix.copy()
    spoiled[3, 5] = 400
    others = np.ones_like(matrix, dtype=bool)
    others[3] = False
    whole, rows = quantise(spoiled), quantise(spoiled, 64)
    assert np.abs((rows.restored - spoiled)[others]).max() < 0.02
    assert np.abs((whole.restored - spoiled)[others]).max() > 1


@given(st.integers(1, 40), st.integers(0, 100))
def test_every_error_is_at_most_half_of_its_blocks_step(block: int, seed: int):
    matrix = np.random.default_rng(seed).normal(size=(5, 7)).astype(np.float32)
    found = quantise(matrix, block)
    steps = np.repeat(found.steps, block)[: matrix.size].reshape(matrix.shape)
    assert (np.abs(found.restored - matrix) <= steps / 2 + 1e-6).all()


def test_relative_error_by_hand_and_an_empty_block():
    matrix = np.array([[3.0, 4.0]], np.float32)
    assert relative_error(matrix, np.array([[3.0, 3.0]], np.float32)) == pytest.approx(1 / 5)
    assert relative_error(np.zeros((1, 1), np.float32), np.zeros((1, 1), np.float32)) == 0
    with pytest.raises(InputError, match="at least one weight"):
        quantise(matrix, 0)


def test_an_outlier_rounds_small_weights_to_zero():
    matrix = np.array([[0.5, 1.0], [0.0, -0.003]], dtype=np.float32)
    assert quantise(matrix).zeroed(matrix) == 0.25
    assert quantise(matrix).codes_used == 3  # 64, 127, 0
    spoiled = with_outlier(matrix, 1000)
    assert spoiled[0, 0] == 1000
    assert quantise(spoiled).zeroed(spoiled) == 0.5
    assert np.array_equal(with_outlier(matrix, 1), matrix)
