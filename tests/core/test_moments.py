import numpy as np
import pytest

from core.errors import InputError
from core.moments import read_moments


def test_an_array_is_read_with_its_steps(tmp_path):
    path = tmp_path / "snapshots.npz"
    filters = np.arange(12).reshape(2, 1, 1, 2, 3)
    np.savez(path, filters=filters.astype(np.float16), steps=[0, 9], fractions=[0.0, 1.0])
    found = read_moments(path, "filters")
    assert found is not None
    np.testing.assert_array_equal(found.values, filters.astype(np.float32))
    assert found.steps.tolist() == [0, 9]
    assert found.fractions.tolist() == [0.0, 1.0]
    assert read_moments(path, "positions") is None


def test_a_broken_file_is_told(tmp_path):
    path = tmp_path / "snapshots.npz"
    path.write_bytes(b"not an archive")
    with pytest.raises(InputError, match="can't be read as snapshots"):
        read_moments(path, "filters")
