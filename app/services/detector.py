"""The set prediction view's door: generated scenes, pictures, what a detector says of them."""

from concurrent.futures import Future
from functools import lru_cache
from typing import Final

import numpy as np
from jaxtyping import UInt8

from app.services import engine
from app.services.engine import ask
from app.services.vision import Picture
from core.data.images import centre_square
from core.data.synthetic_scenes import Scene, make_scene
from core.outputs.detection import Detection, SlotBoxes
from core.outputs.families import Detector
from core.trace import Trace, read_only

NO_OBJECT: Final = "no object"
SCENES: Final = 200  # drawn and kept


@lru_cache(SCENES)
def scene(seed: int) -> Scene:
    """The scene of this seed."""
    return make_scene(seed)


def picture(given: int | Picture, side: int) -> UInt8[np.ndarray, "row column 3"]:
    """It, or the square around a picture's middle, so many pixels a side."""
    if isinstance(given, int):
        return _drawn(given, side)
    # A reader's picture has room in the engine's cache alone, which lets go of what nobody asks for
    return engine.derived(
        ("square", given.digest, side), lambda: read_only(centre_square(given.image, side))
    )


@lru_cache(SCENES)
def _drawn(seed: int, side: int) -> UInt8[np.ndarray, "row column 3"]:
    return read_only(scene(seed).draw(side))


def detect(model_id: str, given: int | Picture) -> Future[Detection]:
    """Boxes and class probabilities, layer by layer, of a scene by its seed or of a picture."""
    return ask(Detector.detect, model_id, given)


def answers(model_id: str) -> tuple[str, ...]:
    """What a slot can say: a class of the opened model, or that there is no object."""
    return (*engine.loaded_card(model_id).result().labels, NO_OBJECT)


def trace(model_id: str, given: int | Picture) -> Future[Trace]:
    """Every attention map."""
    return ask(Detector.trace, model_id, given)


def slot_boxes(model_id: str, scenes: int) -> Future[SlotBoxes]:
    """The answers for the first scenes."""
    return ask(Detector.slot_boxes, model_id, scenes)
