"""Films of frames: evenly spaced, bounded, and whole where the file breaks off."""

import io

import numpy as np
import pytest
from PIL import Image

from core.data.animations import frame_numbers, frames
from core.limits import FILM_FRAMES, FILM_PIXELS


def film(count: int, kind: str = "GIF", **options: object) -> bytes:
    stills = [Image.new("RGB", (8, 6), (5 * index % 256, 40, 200)) for index in range(count)]
    for index, still in enumerate(stills):
        still.putpixel((index % 8, index // 8 % 6), (255, 255, 255))  # no two are alike
    buffer = io.BytesIO()
    stills[0].save(buffer, kind, save_all=True, append_images=stills[1:], **options)
    return buffer.getvalue()


def test_all_of_few_and_some_of_many_from_the_first_to_the_last():
    assert frame_numbers(1, 100) == (0,)
    assert frame_numbers(5, 100) == (0, 1, 2, 3, 4)
    many = frame_numbers(231, 100)
    assert len(many) == FILM_FRAMES
    assert many == tuple(range(0, 231, 10))
    assert frame_numbers(47, 100)[-1] == 46


def test_frames_far_into_a_large_film_are_not_reached():
    """A frame of 20 megapixels: the first 20 can be decoded, no more."""
    found = frame_numbers(1000, 20_000_000)
    assert found == tuple(range(FILM_PIXELS // 20_000_000))
    assert frame_numbers(1000, 10 * FILM_PIXELS) == (0,)


@pytest.mark.parametrize(("kind", "options"), [("GIF", {}), ("WEBP", {"lossless": True})])
def test_the_frames_are_the_films(kind: str, options: dict[str, object]):
    found = list(frames(film(4, kind, **options)))
    assert len(found) == 4
    for index, frame in enumerate(found):
        assert frame.mode == "RGB"
        assert frame.size == (8, 6)
        assert np.abs(np.subtract(frame.getpixel((7, 5)), (5 * index, 40, 200))).max() <= 8


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP", "TIFF"])
def test_a_still_picture_and_pages_are_no_film(kind: str):
    content = film(3, kind) if kind == "TIFF" else still(kind)
    assert list(frames(content)) == []


def test_a_film_that_breaks_off_ends_there():
    whole = film(12)
    some = list(frames(whole[: len(whole) * 2 // 3]))
    assert 0 < len(some) < 12


def still(kind: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 6)).save(buffer, kind)
    return buffer.getvalue()
