"""Every head's map through a training: play, pause, scrub; one head large, and at all moments."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from secrets import token_hex
from typing import Final, Literal

import numpy as np
import streamlit as st
from jaxtyping import Float32, UInt8

from app.components.frame import pack
from app.components.head_grid import HeadId, read_heads
from app.components.mount import Seeded, nothing, register
from app.components.picture_film import read_index

DESCRIPTION: Final = (
    "heads", "moments", "lines", "rows", "columns", "row_title", "column_title", "label",
    "caption", "scale", "hue",
)  # fmt: skip
_mount: Final = register("head_film")


@dataclass(frozen=True, slots=True, eq=False)
class HeadFilm:
    """All maps travel once, so the browser scrubs alone; every printed number is exact."""

    values: Float32[np.ndarray, "moment head row column"]  # heads layer by layer
    heads: tuple[int, ...]  # how many each layer has
    moments: tuple[str, ...]  # what each moment is: "step 567"
    lines: tuple[str, ...]  # what is said of each moment
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    label: str  # names the figure for screen readers
    caption: str  # model, text: written under exported figures
    row_title: str = "query"
    column_title: str = "key"
    scale: Literal["sqrt", "diverging"] = "sqrt"
    hue: str = "encoder"  # of the √ scale
    picture: UInt8[np.ndarray, "height width 3"] | None = None  # that the cells are patches of

    def __post_init__(self) -> None:
        expected = (len(self.moments), sum(self.heads), len(self.rows), len(self.columns))
        if self.values.shape != expected or 0 in expected or len(self.lines) != expected[0]:
            raise ValueError(
                f"values are {self.values.shape} with {len(self.lines)} lines, but moments, heads "
                f"and labels ask for {expected}"
            )

    @property
    def nbytes(self) -> int:
        return self.values.nbytes


@dataclass(frozen=True, slots=True)
class Seed:
    """What the browser is told of where to stand; see `Seeded` for the serial numbers."""

    visit: str = ""
    moment: int = 0
    moment_serial: int = 1
    head: HeadId = (0, 0)
    head_serial: int = 1


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the reader stands: the moment, and the head that is shown large."""

    moment: int
    head: HeadId
    seed: Seed


def standing(key: str, *, n_moments: int, heads: tuple[int, ...], at: int, on: HeadId) -> Standing:
    """What the browser says, before the film is drawn in this run; so a click costs one run.

    `at` and `on` seed the browser and may be what the last call returned.
    """
    moment = Seeded(key, "moment", at, lambda report: read_index(report, n_moments - 1, 0))
    head = Seeded(key, "head", on, lambda report: read_head(report, heads))
    visit = st.session_state.setdefault(f"{key}:visit", token_hex(4))
    seed = Seed(visit, moment.seed, moment.serial, head.seed, head.serial)
    return Standing(moment.choice, head.choice, seed)


def head_film(figure: HeadFilm, at: Standing, *, key: str) -> None:
    """Draw it."""
    frame = film_frame(figure, at.seed)
    _mount(key=key, data=frame, on_moment_change=nothing, on_head_change=nothing)


# A rerun must not compress a film again. The key is every input: a film is immutable, and
# equal only to itself.
@lru_cache(maxsize=16)
def film_frame(figure: HeadFilm, seed: Seed) -> bytes:
    """The byte frame that head_film/view.js draws; also for the standalone page.

    Each head's colours end at its largest |value| of all moments, so that one can see it grow.
    """
    header = {name: getattr(figure, name) for name in DESCRIPTION}
    limits = np.abs(figure.values).max(axis=(0, 2, 3))
    header["limits"] = [float(limit) or 1.0 for limit in limits]
    header["seed"] = asdict(seed)
    arrays = {"values": figure.values}
    if figure.picture is not None:
        arrays["picture"] = figure.picture
    return pack(header, arrays, level=1)


def read_head(report: object, heads: tuple[int, ...]) -> HeadId | None:
    """The head that a browser says is shown large, or None if there is none such."""
    read = read_heads([report], heads)
    return read[0] if read else None
