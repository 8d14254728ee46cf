"""What every head does, as one label: layers by heads, a colour a label; a click selects a head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import Seed, Selection

Head = tuple[int, int]  # (layer, head), counted from 0
_mount: Final = register("head_labels")


@dataclass(frozen=True, slots=True)
class Label:
    """One label: its name, what it means, and which of the heads' colours it has."""

    name: str
    meaning: str
    colour: int | None  # index into theme.HEADS; None: no colour


@dataclass(frozen=True, slots=True, eq=False)
class HeadLabels:
    """What is drawn. Layers may have different numbers of heads."""

    legend: tuple[Label, ...]
    labels: tuple[tuple[int, ...], ...]  # of each layer's heads, as indices into the legend
    scores: tuple[Float32[np.ndarray, " _"], ...]  # printed in the cells
    notes: tuple[tuple[str, ...], ...]  # a line on hover for each head
    label: str  # names the figure for screen readers
    caption: str = ""

    def __post_init__(self) -> None:
        counts = [tuple(map(len, rows)) for rows in (self.labels, self.scores, self.notes)]
        if len(set(counts)) != 1:
            raise ValueError(f"labels, scores and notes are of {counts} heads a layer")


def head_labels(figure: HeadLabels, *, key: str, selected: Head) -> Head:
    """Draw the map; return the selected head. `selected` seeds the browser's selection."""
    heads = tuple(map(len, figure.labels))
    found = Selection(key, selected, lambda report: read_head(report, heads))
    _mount(key=key, data=labels_frame(figure, seed=found.seed))
    return found.value


def labels_frame(figure: HeadLabels, *, seed: Seed[Head] | None = None) -> bytes:
    """The byte frame that head_labels/view.js draws; also for the standalone page."""
    header = {
        "legend": [[one.name, one.meaning, one.colour] for one in figure.legend],
        "labels": figure.labels,
        "notes": figure.notes,
        "label": figure.label,
        "caption": figure.caption,
        "selection": (seed or Seed((0, 0))).header,
    }
    return pack(header, {"scores": np.concatenate(figure.scores).astype(np.float32)})


def read_head(report: object, heads: tuple[int, ...]) -> Head | None:
    """The head that a browser says is selected, or None if there is none such."""
    match report:
        case [int(layer), int(head)] if 0 <= layer < len(heads) and 0 <= head < heads[layer]:
            return layer, head
        case _:
            return None
