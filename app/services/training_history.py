"""The door to how models learned: what was kept at the moments of their training.

The models trained here keep it beside their weights; so does whatever a recipe of
`core.training` ships into a directory of the reader's own.
"""

from collections.abc import Callable, Hashable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from jaxtyping import UInt8
from PIL import Image, ImageOps

from app.services import engine, models, vision
from core.catalog import Family, ModelCard
from core.catalog.checkpoints import EMBEDDED_MODELS, card_sheet
from core.data.snapshots import (
    Course,
    Moments,
    read_course,
    read_moments,
)
from core.trace import read_only

SIDE: Final = 336  # pixels of a fixed picture as it is shown
SNAPSHOTS: Final = "snapshots.npz"

Value = TypeVar("Value")


def cards() -> tuple[ModelCard, ...]:
    """Every model that kept moments of its training, text models first."""
    every = (*models.cards(*models.TEXTS), *models.cards(*models.PICTURES, Family.DETECTOR))
    return tuple(card for card in every if _file(card).exists())


def moments(card: ModelCard, name: str) -> Moments | None:
    """An array through the training, or None if it was not kept. Raises InputError if broken."""
    path = _file(card)
    if not path.exists():
        return None
    key = ("moments", card.id, path.stat().st_mtime_ns, name)
    return engine.derived(key, lambda: read_moments(path, name))


def course(card: ModelCard) -> Course:
    """Loss and figures through the training of one of `cards`. Raises InputError if broken."""
    path = _file(card)
    key = ("course", card.id, path.stat().st_mtime_ns)
    return engine.derived(key, lambda: read_course(path))


def sheet(card: ModelCard) -> Mapping[str, Any]:
    """How the training was run: the card that its recipe wrote. Raises InputError without one."""
    return card_sheet(card)


def trained(sheet: Mapping[str, Any]) -> str:
    """“50 minutes on 2 CPU cores, AVX512, bf16 autocast”; what else ran there is not known."""
    return f"{sheet['seconds'] / 60:.0f} minutes on {sheet['device']}"


def figures(card: ModelCard) -> Mapping[str, float]:
    """The figures on the card of a model trained here, as measured; none for others."""
    folder = EMBEDDED_MODELS / card.id
    return sheet(card)["metrics"] if (folder / "card.json").exists() else {}


def derived(card: ModelCard, name: Hashable, compute: Callable[[], Value]) -> Value:
    """What follows from what is kept, computed once for all who look."""
    key = ("learning", card.id, _file(card).stat().st_mtime_ns, name)
    return engine.derived(key, compute)


@cache
def picture(name: str) -> UInt8[np.ndarray, "row column 3"] | None:
    """The middle square of a fixed picture, as its training saw it, only finer."""
    if name not in vision.SAMPLES:
        return None
    side = (SIDE, SIDE)
    square = ImageOps.fit(vision.sample(name).image, side, Image.Resampling.BICUBIC)
    return read_only(np.asarray(square, dtype=np.uint8))


def _file(card: ModelCard) -> Path:
    return EMBEDDED_MODELS / card.id / SNAPSHOTS  # a directory's id is its whole path
