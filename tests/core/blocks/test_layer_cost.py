"""Table 1, its crossings, and attention's sizes, worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blocks.attention_memory import (
    Picture,
    full_pairs,
    limited_pairs,
    map_bytes,
)
from core.blocks.layer_cost import (
    LAYER_TYPES,
    Widths,
    crossovers,
    operations,
    path_length,
    sequential_operations,
)

BASE = Widths(d=512, k=3, r=128)


def at(n: float) -> np.ndarray:
    return np.array([n])


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        ("self-attention", 1000**2 * 512),
        ("recurrent", 1000 * 512**2),
        ("convolution", 3 * 1000 * 512**2),
        ("restricted", 128 * 1000 * 512),
    ],
)
def test_operations_of_table_1(layer, expected):
    assert operations(layer, at(1000.0), BASE)[0] == expected


@pytest.mark.parametrize(
    ("layer", "steps", "path"),
    [
        ("self-attention", 1, 1),
        ("recurrent", 81, 81),
        ("convolution", 1, 4),
        ("restricted", 1, 1),
    ],
)
def test_steps_and_paths_of_table_1(layer, steps, path):
    assert sequential_operations(layer, at(81.0))[0] == steps
    assert path_length(layer, at(81.0), BASE)[0] == pytest.approx(path)


def test_a_neighbourhood_is_never_longer_than_the_sequence():
    assert operations("restricted", at(64.0), BASE) == operations("self-attention", at(64.0), BASE)


@given(st.integers(1, 4096), st.integers(2, 31), st.integers(1, 4096))
def test_at_a_crossing_both_cost_the_same(d: int, k: int, r: int):
    widths = Widths(d, k, r)
    for crossing in crossovers(widths):
        n = at(crossing.n)
        ours = operations("self-attention", n, widths)[0]
        assert ours == operations(crossing.other, n, widths)[0] == crossing.operations
        below = at(crossing.n * 0.5)
        others = operations(crossing.other, below, widths)
        assert operations("self-attention", below, widths)[0] <= others[0]


def test_every_layer_type_has_all_three():
    n = np.array([1.0, 10.0, 1e6])
    for layer in LAYER_TYPES:
        assert (operations(layer, n, BASE) > 0).all()
        assert (sequential_operations(layer, n) >= 1).all()
        assert (path_length(layer, n, BASE) >= 1).all()


def test_maps_of_bert_base_at_512_and_at_a_million():
    n = np.array([512.0, 2.0**20])
    sizes = map_bytes(full_pairs(n), layers=12, heads=12, bytes_each=4)
    assert sizes[0] == 150_994_944  # 151 MB
    assert sizes[1] == pytest.approx(6.333e14, rel=1e-3)  # 633 TB


def test_linformer_and_windows_are_linear_beyond_their_limit():
    pairs = limited_pairs(np.array([64.0, 256.0, 1024.0, 2048.0]), 256)
    assert pairs.tolist() == [64**2, 256**2, 256 * 1024, 256 * 2048]


def test_pixels_of_a_screen():
    assert Picture(1920, 1080).pairs == 4_299_816_960_000
    patches = Picture(1920, 1080, patch=16)
    assert (patches.rows, patches.columns, patches.pairs) == (68, 120, 8160**2)


def test_swins_first_stage():
    """56 × 56 patches of 4 pixels, C = 96, M = 7: equations 1 and 2 by hand."""
    picture = Picture(224, 224, patch=4)
    assert picture.window_pairs(7) == 49 * 3136
    assert picture.attention_operations(96) == 4 * 3136 * 96**2 + 2 * 3136**2 * 96
    assert picture.window_operations(96, 7) == 4 * 3136 * 96**2 + 2 * 49 * 3136 * 96


def test_ragged_windows_are_padded():
    assert Picture(8, 8, patch=1).window_pairs(7) == 49 * 14 * 14
