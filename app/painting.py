"""The masked autoencoder's door: what it paints, how wrong it is, what it painted in training."""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from jaxtyping import UInt8

from app import inference, seeing
from app.seeing import Picture
from core.catalog import ModelCard
from core.checkpoints import EMBEDDED_MODELS, card_sheet
from core.moments import Moments, read_moments
from core.reconstruction import ErrorByRatio, Reconstruction

RATIOS: Final = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.85, 0.9, 0.95)
SEEDS: Final = (0, 1, 2, 3, 4)


@dataclass(frozen=True, eq=False)
class Lessons:
    """One picture painted at every kept moment of a training, and the error on others."""

    painted: Moments  # (moment, height, width, 3), colours from 0 to 255
    errors: Moments | None  # (moment, 1), mean squared error, colours from 0 to 1

    @property
    def nbytes(self) -> int:
        return self.painted.nbytes

    def picture(self, moment: int) -> UInt8[np.ndarray, "height width 3"]:
        return self.painted.values[moment].astype(np.uint8)


def painted(model_id: str, picture: Picture, hidden: tuple[int, ...]) -> Future[Reconstruction]:
    """The picture with these patches hidden, painted by the model."""
    return seeing.ask(model_id, "reconstruct_hidden", picture, hidden=hidden)


def error_by_ratio(model_id: str, picture: Picture) -> Future[ErrorByRatio]:
    """The error at hidden patches for every share in RATIOS, in every draw of SEEDS."""
    return seeing.ask(model_id, "error_by_ratio", picture, ratios=RATIOS, seeds=SEEDS)


def lessons(card: ModelCard) -> Lessons | None:
    """What the model's folder keeps of its training, if it does. Raises InputError if broken."""
    path = EMBEDDED_MODELS / card.id / "snapshots.npz"  # a directory's id is its whole path
    if not path.exists():
        return None
    key = ("paintings", card.id, path.stat().st_mtime_ns)
    return inference.engine().derived(key, lambda: _read(path))


def measured(card: ModelCard) -> Mapping[str, float]:
    """The figures on an embedded model's card; none for others."""
    if not (EMBEDDED_MODELS / card.id / "card.json").exists():
        return {}
    return card_sheet(card)["metrics"]


def _read(path: Path) -> Lessons | None:
    paintings = read_moments(path, "painted")
    if paintings is None:
        return None
    return Lessons(paintings, read_moments(path, "metrics"))
