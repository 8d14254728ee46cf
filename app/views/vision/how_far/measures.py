"""Every head's distance, entropy and label: of this picture, or the mean of the sample pictures."""

from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app.services import vision
from app.services.vision import Picture, Request
from app.ui import progress
from app.ui.export_bar import Table
from app.ui.params import Scope
from app.views.vision.inputs import Chosen
from core.data.known_roles import Layers
from core.explain.attention.attention_distance import LayerReach, attention_reach, mean_reach
from core.explain.attention.head_roles import RoleMasses, role_masses
from core.trace import Trace

HERE: Final = Scope("vision", "how-far")
PICTURES = HERE.choice(
    "pictures",
    {"one": "this picture", "all": f"mean of {len(vision.SAMPLES)} sample pictures"},
)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """All heads of a model."""

    reach: tuple[LayerReach, ...]  # distances in pixels
    masses: RoleMasses  # on each role's places, on these pictures
    caption: str  # model, pictures


def first(chosen: Chosen) -> Future[Trace]:
    """The picture's own trace."""
    return vision.trace(chosen.card.id, chosen.picture)[1]


def measure(chosen: Chosen) -> Measured | None:
    """What the reader asked for; None after saying what is wrong.

    Raises InputError for layers that stand on no grid of patches.
    """
    if PICTURES.value == "one":
        pictures = [chosen.picture]
        over = chosen.picture.name
    else:
        pictures = [vision.sample(name) for name in vision.SAMPLES]
        over = f"mean of {', '.join(vision.SAMPLES)}"
    asked = [vision.trace(chosen.card.id, picture) for picture in pictures]
    each: list[tuple[tuple[LayerReach, ...], RoleMasses]] = []
    line = st.empty()
    for number, ((request, future), picture) in enumerate(zip(asked, pictures, strict=True), 1):
        if len(pictures) > 1 and not future.done():
            line.progress(number / len(pictures), text=f"Looking at {picture.name} …")
        with line.container():
            trace = progress.outcome(future, chosen.card.id)
        if trace is None:
            return None
        each.append(_of_picture(request, trace, picture, chosen))
    line.empty()
    return Measured(
        mean_reach([reach for reach, _ in each]) if len(each) > 1 else each[0][0],
        _mean([masses for _, masses in each]),
        f"{chosen.card.title} · {over}",
    )


def _of_picture(
    request: Request, trace: Trace, picture: Picture, chosen: Chosen
) -> tuple[tuple[LayerReach, ...], RoleMasses]:
    size = chosen.seen.patch_pixels  # the same for all pictures of a model

    def compute() -> tuple[tuple[LayerReach, ...], RoleMasses]:
        return attention_reach(trace, patch_pixels=size), role_masses(trace)

    return vision.derived(request, "how-far", compute, picture.digest)


def _mean(each: list[RoleMasses]) -> RoleMasses:
    """Of every head over several pictures."""

    def mean(layers: Iterable[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        return tuple(np.mean(same, axis=0) for same in zip(*layers, strict=True))

    return RoleMasses(
        each[0].roles, mean(one.masses for one in each), mean(one.even for one in each)
    )


def table(measured: Measured, named: Layers | None) -> Table:
    """One line a head."""
    header = ["layer", "head", "distance_pixels", "uniform_distance_pixels", "entropy_bits"]
    header += ["uniform_entropy_bits", *(f"mass_{role}" for role in measured.masses.roles)]
    header += ["role"] * (named is not None)
    rows = [
        (
            reach.layer,
            head,
            float(reach.distances[head]),
            reach.uniform_distance,
            float(reach.entropies[head]),
            reach.uniform_entropy,
            *masses[:, head].tolist(),
            *(() if named is None else (named[layer][head].label,)),
        )
        for layer, (reach, masses) in enumerate(
            zip(measured.reach, measured.masses.masses, strict=True)
        )
        for head in range(len(reach.distances))
    ]
    return header, rows


def arrays(measured: Measured) -> dict[str, np.ndarray]:
    """Padded with NaN where a layer has fewer heads than another."""
    most = max(len(reach.distances) for reach in measured.reach)

    def padded(values: list[np.ndarray]) -> np.ndarray:
        whole = np.full((len(values), most), np.nan, dtype=np.float32)
        for row, heads in zip(whole, values, strict=True):
            row[: len(heads)] = heads
        return whole

    return {
        "distance_pixels": padded([reach.distances for reach in measured.reach]),
        "entropy_bits": padded([reach.entropies for reach in measured.reach]),
        "uniform_distance_pixels": np.array([reach.uniform_distance for reach in measured.reach]),
        "uniform_entropy_bits": np.array([reach.uniform_entropy for reach in measured.reach]),
    }
