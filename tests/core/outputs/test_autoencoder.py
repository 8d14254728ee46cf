"""What follows from a reconstruction's errors, by hand."""

import numpy as np

from core.outputs.autoencoder import ErrorByRatio, Reconstruction
from core.trace import PatchGrid


def test_ranks_are_among_the_hidden_patches():
    errors = np.array([[0.2, 0.9], [0.5, 0.2]], dtype=np.float32)
    hidden = np.array([[True, False], [True, True]])
    picture = np.zeros((2, 2, 3), dtype=np.float32)
    made = Reconstruction(picture, hidden, picture, errors, PatchGrid(2, 2, 1))
    assert made.ranks.tolist() == [[2, 0], [1, 2]]


def test_means_over_the_draws_leave_out_nothing_that_was_measured():
    nan = float("nan")
    found = ErrorByRatio(
        ratios=(0.0, 0.5, 1.0),
        seeds=(0, 1),
        errors=np.array([[nan, 0.2, 0.4], [nan, 0.4, 0.6]], dtype=np.float32),
        flat=np.array([[nan, 0.1, nan], [nan, 0.3, nan]], dtype=np.float32),
    )
    assert found.hides.tolist() == [False, True, True]
    np.testing.assert_allclose(found.mean_errors, [nan, 0.3, 0.5], rtol=1e-6)
    np.testing.assert_allclose(found.mean_flat, [nan, 0.2, nan], rtol=1e-6)
