"""The frames of an animated picture (GIF, WebP, PNG), as many as can be shown, evenly spaced."""

import io
from collections.abc import Iterator
from typing import Final

from PIL import Image

from core.data.images import BROKEN, FORMATS, upright_rgb
from core.errors import InputError
from core.limits import FILM_FRAMES, FILM_PIXELS

FILMS: Final = ("GIF", "WEBP", "PNG")  # a TIFF's pages are no film


def frame_numbers(n_frames: int, pixels: int) -> tuple[int, ...]:
    """Which of so many frames of so many pixels are taken, from 0; the first always."""
    within = max(1, min(n_frames, FILM_PIXELS // max(1, pixels)))
    count = min(FILM_FRAMES, within)
    if count == 1:
        return (0,)
    return tuple(round(index * (within - 1) / (count - 1)) for index in range(count))


def frames(content: bytes, name: str = "") -> Iterator[Image.Image]:
    """The taken frames, in order; of a still picture none. What is broken ends the film.

    For content that `open_picture` has opened: its size is checked.
    """
    called = f"“{name}”" if name else "This file"
    image = Image.open(io.BytesIO(content), formats=FORMATS)
    count = getattr(image, "n_frames", 1)
    if image.format not in FILMS or count == 1:
        return
    for number in frame_numbers(count, image.width * image.height):
        try:
            image.seek(number)
            yield upright_rgb(image.copy(), called, [])
        except (InputError, Image.DecompressionBombError, *BROKEN):
            return
