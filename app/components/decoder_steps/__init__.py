"""A decoder at work, token by token: what it reads, where it looks, what it could say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32

from app.components.frame import pack
from app.components.mount import Seeded, nothing, register

_mount: Final = register("decoder_steps")


@dataclass(frozen=True, slots=True)
class Word:
    """A token that could come next."""

    id: int
    token: str
    probability: float
    logit: float


@dataclass(frozen=True, slots=True, eq=False)
class DecoderSteps:
    """One step a position: it is fed `fed[i]`, and `labels[i]` comes next."""

    source: tuple[str, ...]
    fed: tuple[str, ...]
    labels: tuple[str, ...]
    label_ids: tuple[int, ...]
    candidates: tuple[tuple[Word, ...], ...]  # of each position, most probable first
    weights: Float32[np.ndarray, "position source"]  # cross-attention, rows sum to one
    heads: str  # whose weights: "mean of layer 3"
    label: str
    caption: str = ""
    choosable: bool = True  # a click on a candidate asks for it

    def __post_init__(self) -> None:
        expected = (len(self.fed), len(self.source))
        sizes = {len(self.fed), len(self.labels), len(self.label_ids), len(self.candidates)}
        if self.weights.shape != expected or len(sizes) != 1 or 0 in expected:
            raise ValueError(f"weights are {self.weights.shape}, lengths {sizes}, not {expected}")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The step that is shown, and a candidate (position, token id) clicked just now."""

    step: int
    word: tuple[int, int] | None


def decoder_steps(figure: DecoderSteps, *, key: str, step: int) -> Chosen:
    """Draw the run; `step` seeds the browser's and may be what the last call returned."""
    last = len(figure.fed) - 1
    chosen = Seeded(key, "step", min(step, last), lambda given: read_step(given, last))
    frame = decoder_steps_frame(figure, step=chosen.seed, serial=chosen.serial)
    result = _mount(key=key, data=frame, on_step_change=nothing, on_word_change=nothing)
    return Chosen(chosen.choice, read_word(getattr(result, "word", None), figure))


def decoder_steps_frame(figure: DecoderSteps, *, step: int, serial: int = 1) -> bytes:
    """The byte frame that decoder_steps/view.js draws; also for the standalone page."""
    header = {
        "source": figure.source,
        "fed": figure.fed,
        "labels": figure.labels,
        "label_ids": figure.label_ids,
        "candidates": [
            [[one.id, one.token, one.probability, one.logit] for one in row]
            for row in figure.candidates
        ],
        "heads": figure.heads,
        "label": figure.label,
        "caption": figure.caption,
        "choosable": figure.choosable,
        "seed": {"serial": serial, "step": step},
    }
    return pack(header, {"weights": figure.weights}, level=1)


def read_step(given: object, last: int) -> int | None:
    """The step that a browser says it shows, or None if there is none."""
    return given if type(given) is int and 0 <= given <= last else None


def read_word(given: object, figure: DecoderSteps) -> tuple[int, int] | None:
    """The candidate that a browser says was clicked, or None if it was not on offer."""
    match given:
        case [int(step), int(token)] if 0 <= step < len(figure.fed):
            offered = {one.id for one in figure.candidates[step]}
            return (step, token) if token in offered else None
        case _:
            return None
