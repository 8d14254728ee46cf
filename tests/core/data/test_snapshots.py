import numpy as np
import pytest

from core.data.snapshots import read_course, read_moments
from core.errors import InputError


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


def test_an_array_kept_at_some_of_the_moments_knows_at_which(tmp_path):
    path = tmp_path / "snapshots.npz"
    np.savez(
        path,
        positions=np.zeros((2, 3, 4), dtype=np.float16),
        positions_at=[0, 2],
        steps=[0, 9, 40],
        fractions=[0.0, 0.2, 1.0],
    )
    found = read_moments(path, "positions")
    assert found is not None
    assert found.steps.tolist() == [0, 40]
    assert found.fractions.tolist() == [0.0, 1.0]


def test_a_course_is_loss_figures_and_texts(tmp_path):
    path = tmp_path / "snapshots.npz"
    np.savez(
        path,
        loss_curve=np.array([[0.0, 7.0], [0.5, 4.0]], dtype=np.float32),
        metrics=np.array([[0.1], [0.3]], dtype=np.float32),
        metric_names=np.array(["masked_top_1"]),
        tokens=np.array(["[CLS]", "dog", "[SEP]"]),
        sentence=np.array("dog"),
        steps=[0, 9],
        fractions=[0.0, 1.0],
    )
    course = read_course(path)
    assert course.loss_curve.tolist() == [[0.0, 7.0], [0.5, 4.0]]
    assert course.metric_names == ("masked_top_1",)
    assert course.metrics.steps.tolist() == [0, 9]
    assert course.texts == {"tokens": ("[CLS]", "dog", "[SEP]"), "sentence": ("dog",)}


def test_a_broken_file_is_told(tmp_path):
    path = tmp_path / "snapshots.npz"
    path.write_bytes(b"not an archive")
    for read in (lambda: read_moments(path, "filters"), lambda: read_course(path)):
        with pytest.raises(InputError, match="can't be read as snapshots"):
            read()
    np.savez(path, steps=[0])
    with pytest.raises(InputError, match="loss_curve"):
        read_course(path)
