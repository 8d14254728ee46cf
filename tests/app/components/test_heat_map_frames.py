"""A matrix: what travels, what is refused, and what a browser may say back."""

import numpy as np
import pytest

from app.components.frame import unpack
from app.components.heat_map import NOWHERE, HeatMap, heat_map_frame, read_cell
from app.components.selection import Seed


def test_what_a_browser_reports_is_checked():
    assert read_cell([1, 2], (3, 4)) == (1, 2)
    assert read_cell([-1, -1], (3, 4)) == NOWHERE
    for nonsense in ([3, 0], [0, 4], [0.5, 1], [True, "x"], "1,2", None, [1]):
        assert read_cell(nonsense, (3, 4)) is None


def test_a_frame_carries_the_exact_values_and_the_scale():
    values = np.array([[1.5, -4.0], [np.inf, 2.0]], dtype=np.float32)
    shown = HeatMap(values, ("a", "b"), ("c", "d"), label="m")
    header, arrays = unpack(heat_map_frame(shown, seed=Seed((1, 0), serial=7)))
    assert np.array_equal(arrays["values"], values)
    assert header["limit"] == 4.0  # infinity tops no scale
    assert header["selection"] == {"serial": 7, "value": [1, 0], "visit": ""}


@pytest.mark.parametrize("shape", [(0, 2), (2, 3)])
def test_a_matrix_that_does_not_fit_its_labels_is_refused(shape):
    with pytest.raises(ValueError, match="labels"):
        HeatMap(np.zeros(shape, np.float32), ("a",) * shape[0], ("b",) * 2, label="m")
