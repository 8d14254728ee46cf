"""Byte-pair encoding, merge by merge: words, ranked pairs, vocabulary, compression."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import streamlit as st

from app.components.frame import pack
from app.components.mount import Seeded, nothing, register

_mount: Final = register("bpe_stepper")
NOTHING: Final = (-1, -1)  # no forced pair; a seed must not be None


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
    """Where the reader stands, and the pair that is to be forced: (step, row of its table)."""

    step: int
    forced: tuple[int, int] | None


def restart(key: str) -> None:
    """Forget what the browser reported: another run is drawn from now on."""
    for field in ("step", "forced"):
        slot = f"{key}:{field}:seed"
        serial = st.session_state.get(slot, (0,))[0]
        st.session_state[slot] = (serial, None, None, None)


def bpe_stepper(stepper: Stepper, *, wanted: Chosen, predict: bool, key: str) -> Chosen:
    """Draw the run; return the step that is shown and the pair that was asked for as a fork."""
    n_steps = len(stepper.run["merges"])
    step = Seeded(key, "step", wanted.step, lambda given: read_step(given, n_steps))
    forced = Seeded(
        key, "forced", wanted.forced or NOTHING, lambda given: read_forced(given, n_steps)
    )
    seed = (step.serial, step.seed, forced.serial)
    frame = bpe_stepper_frame(stepper, seed=seed, predict=predict)
    _mount(key=key, data=frame, on_step_change=nothing, on_forced_change=nothing)
    return Chosen(step.choice, None if forced.choice == NOTHING else forced.choice)


def reported_step(key: str, n_steps: int, wanted: int) -> int:
    """The step that the browser reports in this run, before the figure is drawn; else `wanted`."""
    state = st.session_state.get(key)
    report = state.get("step") if isinstance(state, Mapping) else None
    value = report.get("value") if isinstance(report, Mapping) else None
    step = read_step(value, n_steps)
    return wanted if step is None else step


@lru_cache(maxsize=16)
def bpe_stepper_frame(
    stepper: Stepper, *, seed: tuple[int, int, int] = (1, 0, 1), predict: bool = False
) -> bytes:
    """The byte frame that bpe_stepper/view.js draws; also for the standalone page."""
    header = {
        "caption": stepper.caption,
        "predict": predict,
        "seed": {"serial": seed[0], "step": seed[1], "forced": seed[2]},
    }
    # as an array, JSON is compressed: a lesson's steps repeat each other
    return pack(header, {"run": _bytes(stepper.run), "steps": _bytes(stepper.steps)}, level=4)


def _bytes(value: object) -> np.ndarray:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8)


def read_step(given: object, n_steps: int) -> int | None:
    """The step that a browser says it shows, or None if there is none."""
    return given if isinstance(given, int) and 0 <= given <= n_steps else None


def read_forced(given: object, n_steps: int) -> tuple[int, int] | None:
    """The pair that a browser asks to force, as (step, row), or None if it can't be."""
    match given:
        case [int(step), int(row)] if 0 <= step <= n_steps and 0 <= row < 1000:
            return step, row
        case _:
            return None
