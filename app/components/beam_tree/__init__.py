"""A beam search as a growing tree: every hypothesis of every step, and what became of it."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from typing import Final

import numpy as np

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import Seed, Selection

_mount: Final = register("beam_tree")
FATES: Final = ("live", "finished", "limit", "outside", "word-margin", "hypothesis-margin")


@dataclass(frozen=True, slots=True)
class Node:
    """A hypothesis; node 0 is the empty one and not listed. Scores are Σ −log P, in nats."""

    node: int
    parent: int
    token: str
    word_score: float
    score: float
    normalised: float
    fate: str  # one of FATES


@dataclass(frozen=True, slots=True)
class Column:
    """The candidates of one more token, best score first."""

    penalty: float  # scores of this length are divided by it
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """A finished hypothesis: its node and its text."""

    node: int
    text: str


@dataclass(frozen=True, slots=True)
class BeamTree:
    """The whole search. `endings` are best first; the first is the translation."""

    columns: tuple[Column, ...]
    endings: tuple[Ending, ...]
    beams: int
    penalty: str  # its formula in words: "|Y|^0.6"
    label: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """How far the search has come, and the hypothesis whose arithmetic is shown (−1: none)."""

    step: int
    node: int


def beam_tree(figure: BeamTree, *, key: str, place: Place, pruned: bool) -> Place:
    """Draw the search; `place` seeds the browser's and may be what the last call returned.

    pruned: also draw the candidates that did not make it.
    """
    last = len(figure.columns)
    count = sum(len(column.nodes) for column in figure.columns)
    wanted = Place(min(place.step, last), place.node if place.node <= count else -1)
    chosen = Selection(key, wanted, lambda given: read_place(given, last, count))
    _mount(key=key, data=beam_tree_frame(figure, seed=chosen.seed, pruned=pruned))
    return chosen.value


def beam_tree_frame(figure: BeamTree, *, seed: Seed[Place], pruned: bool = True) -> bytes:
    """The byte frame that beam_tree/view.js draws; also for the standalone page."""
    tree = {
        "columns": [
            {
                "penalty": column.penalty,
                "nodes": [astuple(one) for one in column.nodes],
            }
            for column in figure.columns
        ],
        "endings": [[one.node, one.text] for one in figure.endings],
    }
    header = {
        "beams": figure.beams,
        "penalty": figure.penalty,
        "label": figure.label,
        "caption": figure.caption,
        "pruned": pruned,
        "selection": seed.header | {"value": astuple(seed.value)},
    }
    text = json.dumps(tree, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # as an array, JSON is compressed
    return pack(header, {"tree": np.frombuffer(text.encode("utf-8"), dtype=np.uint8)})


def read_place(given: object, last: int, count: int) -> Place | None:
    """Where a browser says it stands, or None if that can't be."""
    match given:
        case [int(step), int(node)] if 0 <= step <= last and -1 <= node <= count:
            return Place(step, node)
        case _:
            return None
