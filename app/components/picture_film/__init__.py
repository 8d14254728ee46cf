"""A picture's patches layer by layer, or a film's frame by frame: play, scrub, click a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32, UInt8

from app.components.frame import pack
from app.components.mount import register
from app.components.picture_map import DESCRIPTION, PictureMap
from app.components.selection import Seed, Selection, items_of, read_index

NOWHERE: Final = -1  # how the browser says that no token is selected
_Told = tuple[int, int]  # the frame, and the token or NOWHERE
_mount: Final = register("picture_film")


@dataclass(frozen=True, slots=True, eq=False)
class PictureFilm:
    """One number a token and frame; all frames travel once, so the browser scrubs alone."""

    sheet: PictureMap  # the picture and how it is drawn; its own values are none
    values: Float32[np.ndarray, "frame row column"]
    prefix: Float32[np.ndarray, "frame prefix"]
    prefix_names: tuple[str, ...]
    frames: tuple[str, ...]  # what each frame is: "after layer 3"
    lines: tuple[str, ...]  # what is said of each frame
    limits: tuple[float, ...]  # top of each frame's colour scale
    scale: str  # says where the limits come from: "per layer", "shared"
    uniform: float | None  # what every token would have if all had the same; None: says nothing
    player: str = "Layer"  # what the slider counts
    pictures: UInt8[np.ndarray, "frame height width 3"] | None = None  # None: one for all frames

    def __post_init__(self) -> None:
        counts = {
            len(self.values), len(self.prefix), len(self.frames), len(self.lines), len(self.limits)
        }  # fmt: skip
        if len(counts) != 1:
            raise ValueError(
                f"values, prefix, names, lines and limits have {sorted(counts)} frames"
            )
        if self.pictures is not None and len(self.pictures) != len(self.frames):
            raise ValueError(f"{len(self.pictures)} pictures for {len(self.frames)} frames")
        if self.values.shape[1:] != (self.sheet.rows, self.sheet.columns):
            raise ValueError(f"{self.values.shape} values for the grid of the picture")
        if self.prefix.shape[1] != len(self.prefix_names):
            raise ValueError(
                f"{self.prefix.shape} values for {len(self.prefix_names)} prefix tokens"
            )


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the reader stands: the frame, and the token that is selected, if any."""

    step: int
    token: int | None  # prefix tokens first, then patches row by row


def standing(key: str, present: Standing, *, n_frames: int, n_tokens: int) -> Standing:
    """Where the reader of a film stands now, before it is drawn or after.

    `present` seeds the browser, and may be what an earlier call returned.
    """
    return _standing(_selection(key, present, n_frames, n_tokens).value)


def picture_film(figure: PictureFilm, at: Standing, *, key: str) -> Standing:
    """Draw it; return what `standing` does."""
    n_tokens = len(figure.prefix_names) + figure.sheet.rows * figure.sheet.columns
    found = _selection(key, at, len(figure.frames), n_tokens)
    _mount(key=key, data=film_frame(figure, found.seed))
    return _standing(found.value)


def _selection(key: str, present: Standing, n_frames: int, n_tokens: int) -> Selection[_Told]:
    token = NOWHERE if present.token is None else present.token
    return Selection(
        key,
        (min(present.step, n_frames - 1), token),
        lambda report: read_standing(report, n_frames, n_tokens),
    )


def _standing(told: _Told) -> Standing:
    return Standing(told[0], None if told[1] == NOWHERE else told[1])


def film_frame(figure: PictureFilm, seed: Seed[_Told] | None = None) -> bytes:
    """The byte frame that picture_film/view.js draws; also for the standalone page."""
    last = len(figure.frames) - 1
    header = {
        "sheet": {name: getattr(figure.sheet, name) for name in DESCRIPTION},
        "prefix_names": figure.prefix_names,
        "frames": figure.frames,
        "lines": figure.lines,
        "limits": [limit or 1.0 for limit in figure.limits],
        "scale": figure.scale,
        "uniform": figure.uniform,
        "player": figure.player,
        "selection": (seed or Seed((last, NOWHERE))).header,
    }
    arrays = {
        "pictures": (figure.sheet.picture[None] if figure.pictures is None else figure.pictures),
        "values": figure.values,
        "prefix": figure.prefix,
    }
    return pack(header, arrays, level=1)


def read_standing(report: object, n_frames: int, n_tokens: int) -> _Told | None:
    """The frame and the token that a browser names, or None if there are none such."""
    match items_of(report):
        case [step, token] if (
            read_index(step, n_frames - 1) is not None
            and read_index(token, n_tokens - 1, NOWHERE) is not None
        ):
            return step, token
        case _:
            return None
