import numpy as np

from core.explain.attention.head_overview import TOP_CODE
from core.explain.attention.patch_attention import Look
from core.explain.attention.patch_overview import look_overview


def a_look(patches) -> Look:
    patches = np.float32(patches)
    return Look(patches, np.zeros((len(patches), 0), np.float32), np.ones_like(patches[0]))


def test_weights_are_coded_by_root_against_the_heads_largest():
    found = look_overview([a_look([[[0.4, 0.1]], [[0.0, 0.9]]])])
    np.testing.assert_array_equal(found.codes[0][0], [[TOP_CODE, round(TOP_CODE / 2)]])
    np.testing.assert_array_equal(found.codes[0][1], [[0, TOP_CODE]])
    np.testing.assert_array_equal(found.maxima[0], np.float32([0.4, 0.9]))


def test_a_coarser_layer_is_spread_over_the_finest_grid():
    fine, coarse = a_look(np.ones((1, 4, 4))), a_look([[[1, 0], [0, 0]]])
    found = look_overview([fine, coarse])
    assert [codes.shape for codes in found.codes] == [(1, 4, 4), (1, 4, 4)]
    expected = np.zeros((4, 4))
    expected[:2, :2] = TOP_CODE
    np.testing.assert_array_equal(found.codes[1][0], expected)
