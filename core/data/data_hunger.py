"""How right small networks are that saw few photographs or all: assets/data_hunger.json.

`python -m core.training.data_hunger --data DIR` writes it; beside it stand the ViT paper's figures
of the same question, for large models and large datasets.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from core.catalog.checkpoints import EMBEDDED_MODELS
from core.errors import InputError

PLACE: Final = EMBEDDED_MODELS.parent / "data_hunger.json"
COMMAND: Final = "python -m core.training.data_hunger --data DIR"


class Kind(StrEnum):
    """Of network, and how it begins."""

    CNN = "cnn"
    SWIN = "swin"
    VIT = "vit"
    VIT_AFTER_MAE = "vit-after-mae"


@dataclass(frozen=True, slots=True)
class Point:
    """Top-1 accuracies, each of one seed, which draws weights, photographs and batches."""

    kind: Kind
    share: float  # of the photographs
    photos: int
    accuracies: Sequence[float]
    mean: float
    low: float  # of the mean, 95 %, Student's t over the seeds
    high: float


@dataclass(frozen=True, slots=True)
class DataHunger:
    """All trainings, and what they have in common."""

    points: Sequence[Point]
    parameters: dict[str, int]  # by kind
    side: int  # pixels of the pictures
    classes: int
    held_out: int  # photographs, which each network saw once, at the end
    pretrained_on: int  # photographs that the masked autoencoder saw, without their labels
    steps: int  # of every training
    batch: int
    pretraining_steps: int
    device: str
    seconds: int
    date: str
    command: str = COMMAND

    def of(self, kind: Kind) -> tuple[Point, ...]:
        """The few photographs first."""
        return tuple(sorted((p for p in self.points if p.kind is kind), key=lambda p: p.share))

    def at(self, kind: Kind, share: float) -> Point:
        return next(point for point in self.of(kind) if point.share == share)


@dataclass(frozen=True, slots=True)
class Pretraining:
    """A dataset that the ViT paper pre-trains on (section 4.1)."""

    name: str
    pictures: float


DATASETS: Final = (
    Pretraining("ImageNet", 1.3e6),
    Pretraining("ImageNet-21k", 14e6),
    Pretraining("JFT-300M", 303e6),
)
# Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, table 5: top-1 on ImageNet, in percent,
# after fine-tuning there; None: not trained.
VIT_PAPER: Final = MappingProxyType(
    {
        "ViT-B/32": (73.38, 81.28, 80.73),
        "ViT-B/16": (77.91, 83.97, 84.15),
        "ViT-L/32": (71.16, 80.99, 84.37),
        "ViT-L/16": (76.53, 85.15, 87.12),
        "ViT-H/14": (None, 85.13, 88.04),
    }
)
BIT_L: Final = 87.54  # table 2: a ResNet-152, four times as wide, pre-trained on JFT-300M


@cache
def read(place: Path = PLACE) -> DataHunger:
    """Raises InputError where it was not measured, or the file is another's."""
    try:
        said: dict[str, Any] = json.loads(place.read_text("utf-8"))
        points = [Point(**point | {"kind": Kind(point["kind"])}) for point in said.pop("points")]
        return DataHunger(points, **said)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"{place.name} is missing or not what this version reads. Make it with: {COMMAND}"
        ) from error


def write(measured: DataHunger, place: Path) -> None:
    place.write_text(json.dumps(asdict(measured), indent=1) + "\n", "utf-8")
