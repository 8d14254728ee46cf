"""Random sets of patches, and a number beside theirs."""

import numpy as np
import pytest

from core.explain.attribution.random_patches import AgainstChance, random_sets


def test_sets_are_different_patches_in_rising_order_and_the_same_again():
    sets = random_sets(16, 5, draws=20)
    assert len(sets) == 20
    assert all(len(set(one)) == 5 and list(one) == sorted(one) for one in sets)
    assert all(0 <= patch < 16 for one in sets for patch in one)
    assert sets == random_sets(16, 5, draws=20)
    assert sets != random_sets(16, 5, draws=20, seed=1)


def test_a_number_beside_chance():
    found = AgainstChance.of(0.4, np.array([0.2, 0.4, 0.9], dtype=np.float32))
    assert (found.n_as_bad, found.mean) == (2, pytest.approx(0.5))
    assert (found.least, found.most) == (pytest.approx(0.2), pytest.approx(0.9))
