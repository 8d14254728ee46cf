"""Where a position looked, worked by hand."""

import numpy as np
import pytest

from core.explain.attention.mask_attention import gaze


def test_a_gaze_leaves_out_what_is_not_telling():
    rows = [np.array([[0.7, 0.1, 0.2], [0.1, 0.6, 0.3]], np.float32)]
    found = gaze(rows, telling=np.array([False, True, True]))
    assert found.keys == ((2, 1),)
    np.testing.assert_allclose(found.weights, [[0.2, 0.6]])
    assert found.n_resting == 1  # the first head weighs key 0 most, which tells nothing
    with pytest.raises(ValueError, match="no key is left"):
        gaze(rows, telling=np.zeros(3, bool))
