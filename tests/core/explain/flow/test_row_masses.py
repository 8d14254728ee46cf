"""The masses of a row: two prefix tokens and three patches, two frames."""

import numpy as np

from core.explain.flow.row_masses import row_masses
from core.trace import PatchGrid

FILM = np.array([[0, 0, 0, 1, 0], [0.1, 0.2, 0.3, 0.25, 0.15]], dtype=np.float32)
GRID = PatchGrid(1, 3, prefix_tokens=2)


def test_a_patchs_own_mass_is_told_apart():
    found = row_masses(FILM, GRID, token=3)
    assert found.itself is not None
    np.testing.assert_allclose(found.prefix, [[0, 0], [0.1, 0.2]])
    np.testing.assert_allclose(found.itself, [1, 0.25])
    np.testing.assert_allclose(found.patches, [0, 0.45], atol=1e-7)


def test_a_prefix_tokens_row_or_a_mean_has_no_patch_of_its_own():
    for token in (1, None):
        found = row_masses(FILM, GRID, token=token)
        assert found.itself is None
        np.testing.assert_allclose(found.patches, [1, 0.7])
