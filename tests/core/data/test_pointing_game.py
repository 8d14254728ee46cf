"""Collages: each picture stands on its own half, and the halves share all patches."""

import numpy as np
import pytest
from PIL import Image

from core.data.pointing_game import (
    SIDE,
    Layout,
    collage,
    half,
)

RED, BLUE = (255, 0, 0), (0, 0, 255)


@pytest.mark.parametrize("layout", list(Layout))
def test_each_picture_fills_its_half(layout: Layout):
    made = np.asarray(collage(Image.new("RGB", (90, 30), RED), Image.new("L", (20, 70)), layout))
    assert made.shape == (SIDE, SIDE, 3)
    one = made[:, : SIDE // 2] if layout == Layout.SIDE_BY_SIDE else made[: SIDE // 2]
    other = made[:, SIDE // 2 :] if layout == Layout.SIDE_BY_SIDE else made[SIDE // 2 :]
    assert (one == RED).all()
    assert (other == 0).all()


def test_a_half_is_the_pictures_middle():
    stripes = Image.new("RGB", (300, 100), RED)
    stripes.paste(BLUE, (100, 0, 200, 100))
    made = np.asarray(collage(stripes, stripes, Layout.SIDE_BY_SIDE))
    assert (made[:, 4 : SIDE // 2 - 4] == BLUE).all()  # 50 of 300 columns are kept


@pytest.mark.parametrize(("rows", "columns"), [(2, 4), (3, 3), (1, 5)])
@pytest.mark.parametrize("layout", list(Layout))
def test_halves_share_every_patch(rows: int, columns: int, layout: Layout):
    first = half(rows, columns, layout, first=True)
    second = half(rows, columns, layout, first=False)
    np.testing.assert_allclose(first + second, 1)
    assert first.sum() == pytest.approx(rows * columns / 2)


def test_the_middle_line_is_cut_in_two():
    np.testing.assert_array_equal(
        half(2, 3, Layout.SIDE_BY_SIDE, first=True), [[1, 0.5, 0], [1, 0.5, 0]]
    )
    np.testing.assert_array_equal(half(2, 2, Layout.STACKED, first=True), [[1, 1], [0, 0]])
