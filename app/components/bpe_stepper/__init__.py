"""Byte-pair encoding, merge by merge: words, ranked pairs, vocabulary, compression."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import Seed, clicked_value, clicks, forget, selected_step

_mount: Final = register("bpe_stepper")
MOST_ROWS: Final = 1000
UNKNOWN: Final = -1  # the row of who doesn't know


@dataclass(frozen=True, slots=True, eq=False)
class Stepper:
    """What the figure draws: the whole run in short, and some of its steps in full.

    `run` and `steps` are plain JSON values as app.views.tokenization.steps makes them. Where
    not every step is in full, the figure reports the step it stands at and is given others.
    """

    run: Mapping[str, Any]
    steps: Mapping[int, Mapping[str, Any]]
    caption: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """Where the reader stands, and what was clicked just now: (step, row)."""

    step: int
    forced: tuple[int, int] | None
    guessed: tuple[int, int] | None = None  # of the next merge; row UNKNOWN: the reader gave up


def bpe_stepper(stepper: Stepper, *, step: int, predict: bool, key: str) -> None:
    """Draw the run; what the reader does is read before, by `chosen`."""
    found = selected_step(key, step, len(stepper.run["merges"]))
    number = clicks(key, (stepper.caption, len(stepper.run["merges"])))
    frame = bpe_stepper_frame(stepper, seed=found.seed, clicks=number, predict=predict)
    _mount(key=key, data=frame)


def chosen(key: str, n_steps: int, step: int) -> Chosen:
    """What the browser says of a run of so many merges; `step` seeds it (see `Selection`)."""
    found = selected_step(key, step, n_steps).value
    return Chosen(
        found,
        clicked_value(key, lambda given: read_forced(given, n_steps)),
        clicked_value(key, lambda given: read_guess(given, n_steps)),
    )


restart: Final = forget  # another run is drawn from now on


@lru_cache(maxsize=16)
def bpe_stepper_frame(
    stepper: Stepper, *, seed: Seed[int] | None = None, clicks: int = 0, predict: bool = False
) -> bytes:
    """The byte frame that bpe_stepper/view.js draws; also for the standalone page."""
    header = {
        "caption": stepper.caption,
        "predict": predict,
        "selection": (seed or Seed(0)).header,
        "clicks": clicks,
    }
    # as an array, JSON is compressed: a lesson's steps repeat each other
    return pack(header, {"run": _bytes(stepper.run), "steps": _bytes(stepper.steps)}, level=4)


def _bytes(value: object) -> np.ndarray:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8)


def read_forced(given: object, n_steps: int) -> tuple[int, int] | None:
    """The pair that a browser asks to force, as (step, row), or None if it can't be."""
    match given:
        case [int(step), int(row)] if 0 <= step <= n_steps and 0 <= row < MOST_ROWS:
            return step, row
        case _:
            return None


def read_guess(given: object, n_steps: int) -> tuple[int, int] | None:
    """What a browser says of the next merge, as (step, row), or None if it can't be."""
    match given:
        case {"guess": [int(step), int(row)]} if (
            0 <= step <= n_steps and UNKNOWN <= row < MOST_ROWS
        ):
            return step, row
        case _:
            return None
