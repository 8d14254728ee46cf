"""Which query finds which object? DETR's set prediction, with a small model or with own boxes."""

from collections.abc import Callable
from functools import partial
from typing import Final

from app.ui.export_bar import Export
from app.ui.page import Drawn, View
from app.views.vision.detr import encoder, matched, own, queries, scene, slots
from app.views.vision.detr.params import (
    COUNT,
    DIRECTION,
    ENCODER_HEAD,
    ENCODER_LAYER,
    HEAD,
    LAYER,
    MATCHING,
    OBJECTS,
    PLACE,
    PREDICTIONS,
    SCENE,
    SLOT,
)
from app.views.vision.state import OVERLAYS


def _of_scene(figure: Callable[[str], Export | None]) -> Callable[[], Drawn]:
    """What a detector makes of a scene."""

    def render() -> Drawn:
        model_id = scene.choose()
        return None if model_id is None else partial(figure, model_id)

    return render


VIEW: Final = View(
    "detr",
    "Set prediction",
    parts=(
        View(
            "queries",
            "Object queries",
            (*SCENE, SLOT, LAYER, HEAD, *OVERLAYS),
            _of_scene(queries.figure),
            scene.display_maps,
        ),
        View(
            "encoder",
            "Encoder",
            (*SCENE, ENCODER_LAYER, ENCODER_HEAD, PLACE, DIRECTION, *OVERLAYS),
            _of_scene(encoder.figure),
            scene.display_maps,
        ),
        View(
            "matching",
            "Matching",
            (*SCENE, LAYER, *MATCHING),
            _of_scene(matched.figure),
            scene.display,
        ),
        View(
            "slots",
            "Slots over many scenes",
            (*SCENE, COUNT),
            _of_scene(slots.figure),
            scene.display,
        ),
        View("own", "Your own boxes", (*MATCHING, OBJECTS, PREDICTIONS), figure=own.figure),
    ),
)
