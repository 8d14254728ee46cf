"""A reader's mask of the object in a picture: a PNG whose non-zero pixels are the object."""

import io
from typing import Final

import numpy as np
from jaxtyping import Bool
from PIL import Image

from core.data.images import BROKEN
from core.errors import InputError
from core.limits import PICTURE_BYTES, PIXELS

WANTED: Final = (
    "A mask is a PNG of the picture's shape: every pixel that is not zero (not black, not "
    "transparent) is the object."
)
SLACK: Final = 0.01  # relative: pictures are rounded to whole pixels when they are made smaller


def open_mask(
    content: bytes, size: tuple[int, int], name: str = ""
) -> Bool[np.ndarray, "height width"]:
    """A file's bytes as the object in a picture of `size` (width, height); `name` for messages.

    A mask of the same shape in another size is enlarged or shrunk, pixel by pixel. Of a palette,
    the numbers count. Raises InputError for anything else than such a PNG, and for an empty one.
    """
    called = f"“{name}”" if name else "This file"
    if len(content) > PICTURE_BYTES:
        raise InputError(f"{called} has {len(content) / 1e6:.0f} MB; up to 10 MB can be read.")
    try:
        image = Image.open(io.BytesIO(content), formats=("PNG",))
        if image.width * image.height > PIXELS:
            raise InputError(
                f"{called} is {image.width} × {image.height} pixels; up to "
                f"{PIXELS // 1_000_000} megapixels can be read. Make it smaller."
            )
        _refuse_shape(image.size, size, called)
        image.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, *BROKEN) as error:
        raise InputError(
            f"{called} is no PNG that can be read. {WANTED} JPEG won't do: it blurs zeros away."
        ) from error
    marked = _marked(image)
    if not marked.any():
        raise InputError(f"{called} marks nothing: all its pixels are zero. {WANTED}")
    fitted = Image.fromarray(marked).resize(size, Image.Resampling.NEAREST)
    return np.asarray(fitted, dtype=bool)


def _refuse_shape(mask: tuple[int, int], picture: tuple[int, int], called: str) -> None:
    shapes = mask[0] / mask[1], picture[0] / picture[1]
    if abs(shapes[0] / shapes[1] - 1) > SLACK:
        raise InputError(
            f"{called} is {mask[0]} × {mask[1]} pixels (width × height), the picture "
            f"{picture[0]} × {picture[1]}: they must have one shape. Save the mask in the "
            "picture's size, uncropped."
        )


def _marked(image: Image.Image) -> Bool[np.ndarray, "height width"]:
    """Where a pixel is neither zero nor transparent."""
    if image.mode == "P" and "transparency" not in image.info:
        return np.asarray(image) != 0
    if image.mode in ("P", "PA"):
        image = image.convert("RGBA")
    pixels = np.asarray(image)
    if pixels.ndim == 2:
        return pixels != 0
    if image.mode not in ("LA", "RGBA"):
        return (pixels != 0).any(axis=-1)
    return (pixels[..., :-1] != 0).any(axis=-1) & (pixels[..., -1] != 0)
