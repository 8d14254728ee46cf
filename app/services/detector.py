"""The set prediction view's door: generated scenes, and what a detector says of them."""

from concurrent.futures import Future
from functools import lru_cache
from typing import Any, Final

from app.services import engine, vision
from core.catalog import Family, ModelCard
from core.data.synthetic_scenes import Scene, make_scene
from core.engine import Request
from core.trace import Trace

SCENES: Final = 200  # drawn and kept


def cards() -> tuple[ModelCard, ...]:
    """Detectors on board or among the server's own directories."""
    return vision.cards((Family.DETECTOR,))


@lru_cache(SCENES)
def scene(seed: int) -> Scene:
    """The scene of this seed."""
    return make_scene(seed)


@lru_cache(SCENES)
def picture(seed: int, side: int) -> Any:
    """It, drawn so many pixels a side."""
    drawn = scene(seed).draw(side)
    drawn.setflags(write=False)
    return drawn


def detect(model_id: str, seed: int) -> Future[Any]:
    """Boxes and class probabilities, layer by layer: a core.models.vision.detector.Detection."""
    return engine.engine().submit(Request(model_id, "detect", {"scene": seed}))


def trace(model_id: str, seed: int) -> Future[Trace]:
    """Every attention map."""
    return engine.engine().submit(Request(model_id, "trace", {"scene": seed}))


def slot_boxes(model_id: str, scenes: int) -> Future[Any]:
    """The answers for the first scenes: a core.models.vision.detector.SlotBoxes."""
    return engine.engine().submit(Request(model_id, "slot_boxes", {"scenes": scenes}))
