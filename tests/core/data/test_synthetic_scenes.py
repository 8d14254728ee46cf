"""Generated scenes: the same seed, the same scene; boxes as exact as the pixels can tell."""

import numpy as np
import pytest

from core.data.synthetic_scenes import (
    LARGEST_SEED,
    MOST_OBJECTS,
    SHAPES,
    make_scene,
)
from core.errors import InputError


def test_a_seed_makes_one_scene():
    one, again, other = make_scene(5), make_scene(5), make_scene(6)
    np.testing.assert_array_equal(one.draw(32), again.draw(32))
    np.testing.assert_array_equal(one.boxes, again.boxes)
    assert not np.array_equal(one.draw(32), other.draw(32))


def test_scenes_hold_one_to_four_shapes_of_every_kind_inside_the_picture():
    scenes = [make_scene(seed) for seed in range(60)]
    assert {len(scene.shapes) for scene in scenes} == set(range(1, MOST_OBJECTS + 1))
    assert {int(label) for scene in scenes for label in scene.labels} == set(range(len(SHAPES)))
    for scene in scenes:
        low, high = scene.boxes[:, :2] - scene.boxes[:, 2:] / 2, scene.boxes[:, :2]
        assert (low >= 0).all()
        assert (high + scene.boxes[:, 2:] / 2 <= 1).all()


@pytest.mark.parametrize("seed", range(8))
def test_a_box_is_what_its_shape_covers(seed):
    """Against the same scene without the shape: the pixels that differ, to a pixel."""
    side = 200
    scene = make_scene(seed)
    with_all = scene.draw(side).astype(int)
    for index, shape in enumerate(scene.shapes):
        rest = type(scene)(seed, scene.shapes[:index] + scene.shapes[index + 1 :])
        rows, columns = np.nonzero(np.abs(with_all - rest.draw(side)).sum(-1) > 24)
        x, y, width, height = (side * number for number in shape.box)
        found = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
        wanted = [x - width / 2, y - height / 2, x + width / 2, y + height / 2]
        np.testing.assert_allclose(found, wanted, atol=2.5)  # a star's tip is thin


def test_a_scene_looks_the_same_at_any_size():
    scene = make_scene(3)
    large = scene.draw(128).reshape(32, 4, 32, 4, 3).mean(axis=(1, 3))
    assert np.abs(large - scene.draw(32)).mean() < 3.0


@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1])
def test_a_seed_out_of_range_is_told(seed):
    with pytest.raises(InputError, match="give a whole number from 0 to"):
        make_scene(seed)
