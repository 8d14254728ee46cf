"""A decoder at work, token by token: what it reads, where it looks, what it could say."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import Seed, clicked_value, clicks, selected_step

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


def decoder_steps(figure: DecoderSteps, *, key: str, step: int) -> int:
    """Draw the run; `step` seeds the browser's, and may be what an earlier call returned."""
    found = selected_step(key, step, len(figure.fed) - 1)
    number = clicks(key, figure.fed) if figure.choosable else 0
    _mount(key=key, data=decoder_steps_frame(figure, seed=found.seed, clicks=number))
    return found.value


def clicked_word(key: str, offered: Sequence[Collection[int]]) -> tuple[int, int] | None:
    """The position and the id of the candidate that was clicked just now, of those offered."""
    return clicked_value(key, lambda given: read_word(given, offered))


def decoder_steps_frame(figure: DecoderSteps, *, seed: Seed[int], clicks: int = 0) -> bytes:
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
        "selection": seed.header,
        "clicks": clicks,
    }
    return pack(header, {"weights": figure.weights}, level=1)


def read_word(given: object, offered: Sequence[Collection[int]]) -> tuple[int, int] | None:
    """The candidate that a browser says was clicked, or None if it was not on offer."""
    match given:
        case [int(step), int(token)] if 0 <= step < len(offered) and token in offered[step]:
            return step, token
        case _:
            return None
