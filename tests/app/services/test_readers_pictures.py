"""A reader's picture: no cache of the process keeps it once its reader has gone."""

import gc
from collections.abc import Callable
from weakref import ref

import pytest
from PIL import Image

from app.services import detector
from app.services.vision import Picture
from app.views.positions import on_picture


@pytest.mark.parametrize(
    "draw", [lambda one: detector.picture(one, 8), on_picture._thumbnail], ids=["square", "thumb"]
)
def test_what_is_made_of_it_does_not_keep_it(draw: Callable[[Picture], object]):
    image = Image.new("RGB", (40, 30), "teal")
    alive = ref(image)
    given = Picture("mine", "a digest of its own", image)
    assert draw(given) is draw(given)
    del image, given
    gc.collect()
    assert alive() is None
