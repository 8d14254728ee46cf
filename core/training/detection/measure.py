"""How well the detector finds what it never saw: average precision, classes, overlap.

Average precision: Everingham et al. 2010, "The PASCAL Visual Object Classes Challenge", section
4.2; the area under the whole interpolated curve, mean over the classes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray

from core.data.synthetic_scenes import SHAPES, Scene, make_scene
from core.errors import InputError
from core.models.load import load
from core.models.vision.detector import DetectorModel

FIRST_HELD_OUT = 200_000  # seeds that neither the training nor its moments have seen
HELD_OUT = 1000
MEANING = {
    "ap_50": "1000 unseen scenes: average precision, mean over the four shapes; a box is right if "
    "its intersection over union with an object of its class is at least 0.5",
    "ap_75": "the same, at least 0.75",
    "class_accuracy": "of the objects, each with the box nearest to it (IoU at least 0.5) that "
    "claims any object: share of right classes",
    "count_accuracy": "scenes in which the number of claimed objects is right",
}


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What the model said of one scene; `claims` are slots that don't say “no object”."""

    scene: Scene
    boxes: Float[ndarray, "slot 4"]
    labels: tuple[int, ...]  # the likeliest class that is not “no object”
    scores: tuple[float, ...]  # its probability
    claims: tuple[bool, ...]
    overlaps: Float[ndarray, "slot object"]  # intersection over union


def figures(folder: Path, _data: Path) -> dict[str, float]:
    """The figures of detr-mini's card; the names are MEANING's. Needs no data."""
    return figures_of(list(answers(folder)))


def answers(folder: Path, scenes: int = HELD_OUT) -> Iterator[Answer]:
    """Ask the model in `folder` about the held-out scenes."""
    if not (folder / "model.safetensors").is_file():
        raise InputError(f"{folder} holds no model.safetensors; train the model first")
    model = cast("DetectorModel", load(folder, device="cpu"))
    for seed in range(FIRST_HELD_OUT, FIRST_HELD_OUT + scenes):
        scene = make_scene(seed)
        found = model.detect(scene)
        objects = found.probabilities[:, :-1]
        yield Answer(
            scene,
            found.boxes,
            tuple(objects.argmax(1).tolist()),
            tuple(objects.max(1).tolist()),
            tuple((found.probabilities.argmax(1) < len(SHAPES)).tolist()),
            overlaps(found.boxes, scene.boxes),
        )


def overlaps(
    one: Float[ndarray, "slot 4"], other: Float[ndarray, "object 4"]
) -> Float[ndarray, "slot object"]:
    """Intersection over union of every pair."""
    first, second = torch.from_numpy(one.copy()), torch.from_numpy(other.copy())
    low = torch.maximum(*_edges(first, second, -1))
    high = torch.minimum(*_edges(first, second, 1))
    shared = (high - low).clamp(min=0).prod(-1)
    areas = first[:, None, 2:].prod(-1) + second[None, :, 2:].prod(-1)
    return (shared / (areas - shared)).numpy()


def figures_of(told: Sequence[Answer]) -> dict[str, float]:
    counts = [sum(answer.claims) == len(answer.scene.shapes) for answer in told]
    found = {
        "ap_50": mean_average_precision(told, 0.5),
        "ap_75": mean_average_precision(told, 0.75),
        "class_accuracy": class_accuracy(told),
        "count_accuracy": float(np.mean(counts)),
    }
    return {name: round(value, 4) for name, value in found.items()}


def mean_average_precision(told: Sequence[Answer], least: float) -> float:
    """Mean over the classes that occur."""
    found: list[float] = []
    for label in range(len(SHAPES)):
        objects = sum(int((answer.scene.labels == label).sum()) for answer in told)
        if objects:
            hits = [hit for answer in told for hit in _hits(answer, label, least)]
            hits.sort(key=lambda hit: -hit[0])
            right = np.array([right for _, right in hits], dtype=bool)
            found.append(average_precision(right, objects))
    return float(np.mean(found))


def average_precision(right: Bool[ndarray, " rank"], objects: int) -> float:
    """Of detections in the order of their scores: the area under precision against recall."""
    hits = np.cumsum(right)
    precision = hits / np.arange(1, len(right) + 1)
    best_from_here = np.maximum.accumulate(precision[::-1])[::-1]
    return float(best_from_here[right].sum() / objects)


def class_accuracy(told: Sequence[Answer]) -> float:
    """Of the objects that some claiming box covers by half: the best one's class is right."""
    right: list[bool] = []
    for answer in told:
        claimed = np.where(np.array(answer.claims)[:, None], answer.overlaps, 0.0)
        for thing, label in enumerate(answer.scene.labels.tolist()):
            best = int(claimed[:, thing].argmax())
            if claimed[best, thing] >= 0.5:
                right.append(answer.labels[best] == label)
    return float(np.mean(right)) if right else 0.0


def _hits(answer: Answer, label: int, least: float) -> list[tuple[float, bool]]:
    """(score, right) of the scene's boxes of this class, the likeliest first; no object twice."""
    free = answer.scene.labels == label
    hits: list[tuple[float, bool]] = []
    slots = [slot for slot, said in enumerate(answer.labels) if said == label]
    for slot in sorted(slots, key=lambda slot: -answer.scores[slot]):
        candidates = np.where(free, answer.overlaps[slot], 0.0)
        best = int(candidates.argmax())
        right = bool(candidates[best] >= least)
        if right:
            free[best] = False
        hits.append((answer.scores[slot], right))
    return hits


def _edges(one: torch.Tensor, other: torch.Tensor, sign: int) -> tuple[torch.Tensor, torch.Tensor]:
    first = one[:, None, :2] + sign * one[:, None, 2:] / 2
    second = other[None, :, :2] + sign * other[None, :, 2:] / 2
    return first, second
