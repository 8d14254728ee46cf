"""A picture's patches layer by layer: play, pause, scrub; click a patch or a prefix token."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final

import numpy as np
import streamlit as st
from jaxtyping import Float32

from app.components.frame import pack
from app.components.mount import Seeded, nothing, register
from app.components.picture_map import DESCRIPTION, PictureMap

NOWHERE: Final = -1  # no token; a seed must not be None
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
    uniform: float  # what every token would have if all had the same

    def __post_init__(self) -> None:
        counts = {
            len(self.values), len(self.prefix), len(self.frames), len(self.lines), len(self.limits)
        }  # fmt: skip
        if len(counts) != 1:
            raise ValueError(
                f"values, prefix, names, lines and limits have {sorted(counts)} frames"
            )
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
    seed: dict[str, Any]  # what the browser is told of both


def standing(key: str, *, n_frames: int, n_tokens: int, step: int, token: int | None) -> Standing:
    """What the browser says, before the film is drawn in this run; so a click costs one run.

    `step` and `token` seed the browser and may be what the last call returned.
    """
    last = n_frames - 1
    wanted = NOWHERE if token is None else token
    at = Seeded(key, "step", min(step, last), lambda report: read_index(report, last, 0))
    on = Seeded(key, "token", wanted, lambda report: read_index(report, n_tokens - 1))
    seed = {
        "visit": st.session_state.setdefault(f"{key}:visit", token_hex(4)),
        "step": {"serial": at.serial, "value": at.seed},
        "token": {"serial": on.serial, "value": on.seed},
    }
    return Standing(at.choice, None if on.choice == NOWHERE else on.choice, seed)


def picture_film(figure: PictureFilm, at: Standing, *, key: str) -> None:
    """Draw it."""
    frame = film_frame(figure, at.seed)
    _mount(key=key, data=frame, on_step_change=nothing, on_token_change=nothing)


def film_frame(figure: PictureFilm, seed: dict[str, Any] | None = None) -> bytes:
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
        "seed": seed
        or {"step": {"serial": 1, "value": last}, "token": {"serial": 1, "value": NOWHERE}},
    }
    arrays = {
        "picture": figure.sheet.picture,
        "values": figure.values,
        "prefix": figure.prefix,
    }
    return pack(header, arrays, level=1)


def read_index(report: object, last: int, first: int = NOWHERE) -> int | None:
    """A frame or a token that a browser names, or None if there is none such."""
    return report if type(report) is int and first <= report <= last else None
