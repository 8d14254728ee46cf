"""Points of the plane that move step by step: play, pause, scrub."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float, Float32

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import Seed, selected_step

_mount: Final = register("drift")


@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """Every step's points, and what is said of each step."""

    points: Float32[np.ndarray, "step point 2"]
    diameters: Float[np.ndarray, " step"]
    moves: Float[np.ndarray, " step"]
    clusters: tuple[int, ...]
    extent: float  # the picture shows [−extent, extent]²
    same: float  # points nearer than this are drawn as one group
    label: str  # names the figure for screen readers
    caption: str = ""

    def __post_init__(self) -> None:
        steps = {len(self.points), len(self.diameters), len(self.moves), len(self.clusters)}
        if len(steps) != 1:
            raise ValueError(f"points, diameters, moves and clusters have {sorted(steps)} steps")


def drift(figure: Drift, *, step: int, key: str) -> int:
    """Draw it; return the step at which the reader stands, or `step` before the first move."""
    last = len(figure.points) - 1
    found = selected_step(key, step, last)
    _mount(key=key, data=drift_frame(figure, seed=found.seed))
    return found.value


def drift_frame(figure: Drift, *, seed: Seed[int] | None = None) -> bytes:
    """The byte frame that drift/view.js draws; also for the standalone page."""
    header = {
        "label": figure.label,
        "caption": figure.caption,
        "clusters": figure.clusters,
        "extent": figure.extent,
        "same": figure.same,
        "selection": (seed or Seed(0)).header,
    }
    arrays = {
        "points": figure.points,
        "diameters": figure.diameters.astype(np.float32),
        "moves": figure.moves.astype(np.float32),
    }
    return pack(header, arrays, level=1)
