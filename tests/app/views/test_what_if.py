"""What the What if view keeps in links, and which bars it draws."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.components.frame import unpack
from app.components.moved_answers import Moved, moved_frame
from app.views.vision.masks import on_grid
from app.views.vision.what_if.answers import Answers, moved_rows
from app.views.vision.what_if.params import HIDDEN
from core.trace import PatchGrid


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_painted_patches_survive_a_link(rows, columns, data):
    indices = data.draw(st.sets(st.integers(0, rows * columns - 1)))
    value = (rows, columns, tuple(sorted(indices)))
    assert HIDDEN.parse(HIDDEN.write(value)) == value


def test_nonsense_in_a_link_is_absent():
    for given_text in ("", "4x4", "4x4.!", "x.b", "0x4.b", "9999x9999.b", "-1x4.b", "4x4.c"):
        assert HIDDEN.parse(given_text) is None
    assert HIDDEN.parse("2x2._w") is None
    assert HIDDEN.parse("1x2.b_w") == (1, 2, (0, 1))  # only patches that the grid has


def test_another_grid_hides_the_same_part_of_the_picture():
    left = (2, 2, (0, 2))
    assert on_grid(left, PatchGrid(2, 2, 1)) == (0, 2)
    assert on_grid(left, PatchGrid(4, 4, 0)) == (0, 1, 4, 5, 8, 9, 12, 13)
    assert on_grid((4, 4, (0, 1, 4, 5, 8, 9, 12, 13)), PatchGrid(2, 2, 5)) == (0, 2)
    assert on_grid((1, 1, ()), PatchGrid(3, 5, 0)) == ()


def test_the_new_leaders_come_first_and_the_old_ones_stay_in_sight():
    before = np.array([0.7, 0.2, 0.05, 0.02, 0.01, 0.01, 0.01], dtype=np.float32)
    after = np.array([0.02, 0.03, 0.05, 0.1, 0.1, 0.3, 0.4], dtype=np.float32)
    rows = moved_rows(Answers(tuple("abcdefg"), before, after))
    assert [row.text for row in rows] == ["g", "f", "d", "e", "c", "b", "a"]
    assert (rows[-1].rank_before, rows[-1].rank_after) == (1, 7)
    assert [row.text for row in rows if row.lit] == ["a"]  # the untouched picture's answer
    np.testing.assert_allclose([row.before for row in rows], before[[6, 5, 3, 4, 2, 1, 0]])


def test_the_frame_holds_exact_numbers():
    header, arrays = unpack(
        moved_frame((Moved("cat </script>", 0.1, 0.9, 2, 1),), label="Classes", caption="made up")
    )
    assert header["rows"] == [
        {
            "text": "cat </script>",
            "before": 0.1,
            "after": 0.9,
            "rank_before": 2,
            "rank_after": 1,
            "lit": False,
        }
    ]
    assert (header["clickable"], header["caption"], arrays) == (False, "made up", {})
