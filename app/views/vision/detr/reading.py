"""What the figures of a scene share: the picture, the model's answers, which head is meant."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st
from jaxtyping import Float32, UInt8

from app.components.box_picture import Box, Numbers, rounded
from app.components.picture_map import PictureMap
from app.services import detector
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.options import one_of
from app.ui.params import Number
from app.views.vision.detr import scene
from app.views.vision.detr.params import CLASSES, NO_OBJECT, PIXELS
from core.data.synthetic_scenes import Scene
from core.explain.attention.head_means import one_or_mean
from core.trace import AttentionKind, AttentionLayer, Trace

SIDE = 448  # pixels of the drawn picture


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A scene, what the model says of it, and every attention map."""

    model_id: str
    name: str  # "scene 7", "astronaut"
    scene: Scene | None  # None: a picture, of which nothing is known
    found: Any  # core.models.vision.detector.Detection
    trace: Trace
    picture: UInt8[np.ndarray, "height width 3"]
    answers: tuple[str, ...]  # the model's classes, and “no object”

    @property
    def grid(self) -> tuple[int, int]:
        patches = self.trace.patches
        if patches is None:
            raise ValueError("a detector's trace has places")
        return patches.rows, patches.columns

    @property
    def caption(self) -> str:
        return f"{self.model_id} · {self.name}"

    @property
    def knows_scenes(self) -> bool:
        """Whether the model was trained on the generated scenes, and so on nothing else."""
        return set(CLASSES) <= set(self.answers)

    def said(self, slot: int, layer: int = -1) -> tuple[str, float]:
        """What a slot says after a decoder layer, and its probability."""
        chances = self.found.layer_probabilities[layer, slot]
        best = int(chances.argmax())
        return self.answers[best], float(chances[best])


def read(model_id: str) -> Read | None:
    """The chosen scene or picture through the model; None after saying what went wrong."""
    given = scene.given()
    detection, traced = detector.detect(model_id, given), detector.trace(model_id, given)
    found = progress.outcome(detection, model_id)
    trace = progress.outcome(traced, model_id)
    if found is None or trace is None:
        return None
    picture: UInt8[np.ndarray, "height width 3"] = detector.picture(given, SIDE)
    if PIXELS.value:
        times = max(1, SIDE // len(found.picture))
        picture = np.kron(found.picture, np.ones((times, times, 1), dtype=np.uint8))
    answers = detector.answers(model_id)
    if isinstance(given, int):
        name, shown = f"scene {given}", detector.scene(given)
    else:
        name, shown = given.name, None
    made = Read(model_id, name, shown, found, trace, picture, answers)
    _say_what_it_knows(made, given)
    return made


def _say_what_it_knows(read: Read, given: int | Picture) -> None:
    """Of a picture: what of it is seen, and that a model of scenes knows nothing else."""
    if isinstance(given, int):
        return
    parts = [] if given.is_square else ["Seen is the square around the picture’s middle."]
    if read.knows_scenes:
        parts.append(
            f"{read.model_id} was trained on generated scenes alone and knows {len(CLASSES)} "
            f"classes, {', '.join(CLASSES)}: what it says of a photograph is no finding. "
            "detr-resnet-50 (from the hub), or another DETR in transformers’ layout, was trained "
            "on photographs."
        )
    if parts:
        st.caption(plain(" ".join(parts)))


def boxes(read: Read, layer: int, chosen: int | None) -> tuple[Box, ...]:
    """Every slot's box after a decoder layer; slots that say “no object” are faint and dashed."""
    made: list[Box] = []
    for slot, numbers in enumerate(read.found.layer_boxes[layer].tolist()):
        said, chance = read.said(slot, layer)
        empty = said == NO_OBJECT
        made.append(
            Box(
                _clipped(numbers),
                f"slot {slot}: {said} {chance:.2f}",
                hue="query",
                dashed=empty,
                faint=empty and slot != chosen,
            )
        )
    return tuple(made)


def sheet(
    read: Read, label: str, values: Float32[np.ndarray, "row column"] | None = None, **more: object
) -> PictureMap:
    """The scene's picture with its places, perhaps a map over it."""
    rows, columns = read.grid
    plain = PictureMap(read.picture, rows, columns, label=label, values=values, hue="cross")
    return replace(plain, caption=f"{read.caption} · {label}", **more)


def weights_of(layer: AttentionLayer, head: int) -> Float32[np.ndarray, "query key"]:
    """One head's map, or the mean over the heads for −1."""
    return one_or_mean(layer.weights, head)


def head_controls(
    read: Read, kind: AttentionKind, layer: Number[int], head: Number[int]
) -> tuple[int, int]:
    """Which layer and head, within a row of controls; beyond the model's last is its last."""
    n_layers, n_heads = len(read.trace.layers[kind]), read.trace.n_heads(kind)
    layer.kept_below(n_layers)
    head.kept_below(n_heads)
    one_of(layer, st.segmented_control, "Layer", range(n_layers), required=True, width="content")
    one_of(
        head,
        st.segmented_control,
        "Head",
        range(-1, n_heads),
        lambda index: "mean" if index < 0 else str(index),
        required=True,
        width="content",
    )
    return layer.value, head.value


def head_name(layer: int, head: int) -> str:
    return f"layer {layer}, {'mean over heads' if head < 0 else f'head {head}'}"


def _clipped(numbers: list[float]) -> Numbers:
    x, y, width, height = (min(1.0, max(0.0, number)) for number in numbers)
    return rounded((x, y, width, height))
