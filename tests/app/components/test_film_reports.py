"""The film of a picture and the heads' labels: what travels, and what a browser may say back."""

from dataclasses import replace

import numpy as np
import pytest

from app.components.frame import unpack
from app.components.mount import javascript
from app.components.picture_film import PictureFilm, film_frame, read_standing
from app.components.picture_map import PictureMap
from app.components.standalone import standalone_page

SHEET = PictureMap(np.zeros((4, 6, 3), np.uint8), 2, 3, "a picture")
HOSTILE = "</script><img src=x>"


def film(frames: int = 3, prefix: int = 1) -> PictureFilm:
    values = np.arange(frames * 6, dtype=np.float32).reshape(frames, 2, 3)
    return PictureFilm(
        sheet=SHEET,
        values=values,
        prefix=np.ones((frames, prefix), np.float32),
        prefix_names=tuple(f"register {n}" for n in range(prefix)),
        frames=tuple(f"after layer {n}" for n in range(frames)),
        lines=(HOSTILE,) * frames,
        limits=(0.0, *(1.0,) * (frames - 1)),
        scale="per layer",
        uniform=1 / 7,
    )


def test_all_frames_travel_at_once_and_a_scale_never_ends_at_zero():
    header, arrays = unpack(film_frame(film()))
    assert arrays["values"].shape == (3, 2, 3)
    assert arrays["prefix"].shape == (3, 1)
    assert header["limits"] == [1.0, 1.0, 1.0]
    assert header["selection"]["value"] == [2, -1]


@pytest.mark.parametrize("prefix", [0, 1, 2, 5])
def test_any_number_of_prefix_tokens(prefix):
    header, arrays = unpack(film_frame(film(prefix=prefix)))
    assert len(header["prefix_names"]) == prefix
    assert arrays["prefix"].shape == (3, prefix)


def test_frames_that_do_not_fit_are_refused():
    good = film()
    with pytest.raises(ValueError, match="frames"):
        PictureFilm(**{name: getattr(good, name) for name in good.__slots__} | {"frames": ("one",)})
    with pytest.raises(ValueError, match="grid"):
        PictureFilm(
            **{name: getattr(good, name) for name in good.__slots__}
            | {"values": np.zeros((3, 3, 2), np.float32)}
        )


def test_a_picture_a_frame_or_one_for_all():
    header, arrays = unpack(film_frame(film()))
    assert header["player"] == "Layer"
    assert arrays["pictures"].shape == (1, 4, 6, 3)
    pictures = np.arange(3 * 4 * 6 * 3, dtype=np.uint8).reshape(3, 4, 6, 3)
    shots = replace(film(), pictures=pictures, player="Frame")
    header, arrays = unpack(film_frame(shots))
    assert header["player"] == "Frame"
    np.testing.assert_array_equal(arrays["pictures"], pictures)
    with pytest.raises(ValueError, match="2 pictures for 3 frames"):
        replace(film(), pictures=pictures[:2])


@pytest.mark.parametrize("nonsense", [None, "1", 1.0, True, [1], -2, 7])
def test_frames_and_tokens_that_are_none_are_ignored(nonsense):
    assert read_standing([nonsense, 0], 7, 7) is None
    assert read_standing([0, nonsense], 7, 7) is None
    assert read_standing(nonsense, 7, 7) is None


def test_no_token_can_be_told_but_no_frame_can_not():
    assert read_standing([6, -1], 7, 7) == (6, -1)
    assert read_standing([-1, 0], 7, 7) is None


def test_nothing_in_a_film_closes_a_tag():
    assert HOSTILE not in standalone_page("a page", "picture_film", film_frame(film()), "a caption")


def test_a_part_of_another_component_comes_once_and_before_the_view():
    script = javascript("picture_film")
    assert script.count("function drawSheet(") == 1
    assert script.index("function drawSheet(") < script.index("export default function")
    assert "function drawSheet(" not in javascript("head_grid")
