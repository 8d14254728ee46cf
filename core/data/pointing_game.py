"""Two pictures in one, so that where the asked object stands is known.

A map that explains one class should lie on that class's half; one that would look the same for
either puts about half of itself on each.
"""

from enum import StrEnum
from typing import Final

import numpy as np
from jaxtyping import Float32
from PIL import Image, ImageOps

SIDE: Final = 448  # pixels of the square: no model here sees more of it


class Layout(StrEnum):
    """How the two pictures stand."""

    SIDE_BY_SIDE = "side by side"
    STACKED = "one above the other"


def collage(first: Image.Image, second: Image.Image, layout: Layout) -> Image.Image:
    """A square; each picture's middle, cut to half of it: `first` is left or above."""
    size = (SIDE // 2, SIDE) if layout == Layout.SIDE_BY_SIDE else (SIDE, SIDE // 2)
    square = Image.new("RGB", (SIDE, SIDE))
    for picture, corner in ((first, (0, 0)), (second, (SIDE - size[0], SIDE - size[1]))):
        square.paste(ImageOps.fit(picture.convert("RGB"), size, Image.Resampling.BICUBIC), corner)
    return square


def half(
    rows: int, columns: int, layout: Layout, *, first: bool
) -> Float32[np.ndarray, "row column"]:
    """The share of each patch that lies in one half: the middle line may cut patches in two."""
    lines = columns if layout == Layout.SIDE_BY_SIDE else rows
    share = np.clip(lines / 2 - np.arange(lines), 0, 1)
    share = share if first else 1 - share
    along = share[None, :] if layout == Layout.SIDE_BY_SIDE else share[:, None]
    return np.broadcast_to(along, (rows, columns)).astype(np.float32)
