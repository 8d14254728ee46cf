"""A reader's mask: non-zero is the object, in every kind of PNG; anything else is told."""

import io

import numpy as np
import pytest
from PIL import Image

from core.data.object_mask import open_mask
from core.errors import InputError

OBJECT = np.zeros((6, 9), dtype=bool)
OBJECT[1:3, 4:8] = True


def png(image: Image.Image, kind: str = "PNG", **more) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **more)
    return file.getvalue()


def painted(mode: str, value, nothing) -> Image.Image:
    image = Image.new(mode, (9, 6), nothing)
    for row, column in np.argwhere(OBJECT):
        image.putpixel((int(column), int(row)), value)
    return image


@pytest.mark.parametrize(
    ("mode", "value", "nothing"),
    [
        ("1", 1, 0),
        ("L", 1, 0),  # the faintest grey that is not black
        ("L", 255, 0),
        ("P", 3, 0),
        ("I;16", 300, 0),
        ("RGB", (0, 0, 1), (0, 0, 0)),
        ("RGBA", (255, 255, 255, 255), (0, 0, 0, 255)),
        ("RGBA", (10, 0, 0, 200), (255, 255, 255, 0)),  # what is transparent is no object
        ("LA", (9, 255), (9, 0)),
    ],
)
def test_non_zero_is_the_object(mode: str, value, nothing):
    np.testing.assert_array_equal(open_mask(png(painted(mode, value, nothing)), (9, 6)), OBJECT)


def test_another_size_of_the_same_shape_is_fitted():
    large = painted("L", 255, 0).resize((27, 18), Image.Resampling.NEAREST)
    np.testing.assert_array_equal(open_mask(png(large), (9, 6)), OBJECT)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (png(Image.new("L", (6, 9), 255)), r"6 × 9 pixels \(width × height\), the picture 9 × 6"),
        (png(Image.new("L", (9, 6), 0)), "marks nothing: all its pixels are zero"),
        (png(Image.new("RGBA", (9, 6), (255, 0, 0, 0))), "marks nothing"),
        (png(Image.new("L", (9, 6), 255), "JPEG"), "JPEG won't do"),
        (png(painted("L", 255, 0))[:60], "no PNG that can be read"),
        (b"", "no PNG that can be read"),
        (b"<svg></svg>", "no PNG that can be read"),
        (b"x" * 10_000_001, "up to 10 MB"),
    ],
)
def test_what_is_no_mask_of_the_picture_is_told(content: bytes, said: str):
    with pytest.raises(InputError, match=said) as caught:
        open_mask(content, (9, 6), "m.png")
    assert "“m.png”" in str(caught.value)
