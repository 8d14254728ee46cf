"""Value Zeroing's cosines by hand."""

import numpy as np

from core.explain.flow.context_mixing import value_zeroing_map
from core.explain.flow.rollout import rows_to_one


def test_a_turn_by_sixty_degrees_and_an_output_that_nothing_moved():
    states = np.array([[2.0, 0.0], [0.0, 3.0]], np.float32)
    turned = np.array([[0.5, np.sqrt(0.75)], [0.0, 1.0]], np.float32)
    opposite = np.array([[-1.0, 0.0], [0.0, 3.0]], np.float32)
    found = value_zeroing_map(states, np.stack([turned, opposite]))
    np.testing.assert_allclose(found, [[0.5, 2], [0, 0]], atol=1e-6)
    np.testing.assert_allclose(rows_to_one(found), [[0.2, 0.8], [0, 1]], atol=1e-6)
