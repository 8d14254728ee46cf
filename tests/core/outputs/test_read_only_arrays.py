"""Values of many arrays: none can be written to, all are counted."""

from dataclasses import dataclass

import numpy as np
import pytest

from core.outputs.read_only_arrays import ReadOnlyArrays


@dataclass(frozen=True, slots=True, eq=False)
class Pair(ReadOnlyArrays):
    name: str
    one: np.ndarray
    other: np.ndarray | None


def test_arrays_are_read_only_and_counted():
    pair = Pair("pair", np.zeros(3, np.float32), None)
    assert pair.nbytes == 12
    with pytest.raises(ValueError, match="read-only"):
        pair.one[0] = 1
    assert Pair("pair", np.zeros(3, np.float32), np.zeros(2)).nbytes == 12 + 16
