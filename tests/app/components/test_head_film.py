"""The film of heads: what travels, and what a browser may say back."""

import numpy as np
import pytest

from app.components.frame import unpack
from app.components.head_film import HeadFilm, film_frame, read_standing
from app.components.mount import javascript
from app.components.selection import Seed
from app.components.standalone import standalone_page

HEADS = (2, 1)  # of two layers
START = Seed((0, (0, 0)))
HOSTILE = "</script><img src=x>"
VALUES = np.zeros((3, 3, 2, 2), dtype=np.float32)
VALUES[2, 0, 1, 0] = 0.5
VALUES[0, 1] = -2.0


def film(**other) -> HeadFilm:
    given = {
        "values": VALUES,
        "heads": HEADS,
        "moments": ("step 0", "step 5", "step 9"),
        "lines": ("", HOSTILE, ""),
        "rows": ("a", "b"),
        "columns": ("a", HOSTILE),
        "label": "heads",
        "caption": "a model",
    }
    return HeadFilm(**(given | other))


def test_all_moments_travel_at_once_and_a_head_has_one_scale_for_all_of_them():
    header, arrays = unpack(film_frame(film(), Seed((1, (1, 0)), serial=4, visit="v")))
    np.testing.assert_array_equal(arrays["values"], VALUES)
    assert header["limits"] == [0.5, 2.0, 1.0]  # the last head never looks: its scale is whole
    assert header["selection"] == {"serial": 4, "value": [1, [1, 0]], "visit": "v"}
    assert "picture" not in arrays


def test_a_picture_travels_with_the_maps_of_its_patches():
    picture = np.full((4, 4, 3), 9, dtype=np.uint8)
    _, arrays = unpack(film_frame(film(picture=picture), START))
    np.testing.assert_array_equal(arrays["picture"], picture)


@pytest.mark.parametrize(
    "wrong",
    [{"heads": (2,)}, {"moments": ("one",)}, {"lines": ()}, {"rows": ("a",)}, {"columns": ()}],
)
def test_maps_that_do_not_fit_their_labels_are_refused(wrong):
    with pytest.raises(ValueError, match="ask for"):
        film(**wrong)


def test_a_moment_and_a_head_are_read():
    assert read_standing([2, [1, 0]], 3, HEADS) == (2, (1, 0))


@pytest.mark.parametrize("nonsense", [None, 1, [1], [1, 1], [-1, 0], ["0", 0], [0.0, 0], [2, 0]])
def test_a_head_that_is_none_is_ignored(nonsense):
    assert read_standing([0, nonsense], 3, HEADS) is None


@pytest.mark.parametrize("nonsense", [None, [], [3, [0, 0]], [-1, [0, 0]], ["0", [0, 0]], [0]])
def test_a_moment_that_is_none_is_ignored(nonsense):
    assert read_standing(nonsense, 3, HEADS) is None


def test_the_standalone_page_is_inert_and_holds_everything():
    page = standalone_page("film", "head_film", film_frame(film(), START), HOSTILE)
    assert HOSTILE not in page
    for part in ("drawFilm", "arrangeFilm", "drawSheet", "drawMatrixLabels"):
        assert f"function {part}" in javascript("head_film")
        assert f"function {part}" in page


def test_maps_that_are_no_heads_bring_their_names():
    named = film(heads=(3,), names=("one", HOSTILE, "three"), unit="layer")
    header, _ = unpack(film_frame(named, START))
    assert (header["names"], header["unit"]) == (["one", HOSTILE, "three"], "layer")
    with pytest.raises(ValueError, match="2 names for maps in rows of"):
        film(heads=(3,), names=("one", "two"))
