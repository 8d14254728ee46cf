"""This view's parameters: their names in links begin with d."""

import math
from typing import Final

from app.ui import params
from app.views.vision import state

Row = tuple[float | None, ...]  # None: an empty cell
LARGEST_SEED: Final = 99_999  # the page's scenes; the training's have larger seeds
MOST_ROWS: Final = 12
CLASSES: Final = ("circle", "square", "triangle", "star")
NO_OBJECT: Final = "no object"
ANSWERS: Final = (*CLASSES, NO_OBJECT)
PARTS: Final = ("class", "L1", "GIoU")
FIGURES: Final = {
    "queries": "Object queries",
    "encoder": "Encoder",
    "matching": "Matching",
    "slots": "Slots over many scenes",
}


def _rows(given: str, numbers: int, classes: int) -> tuple[Row, ...] | None:
    try:
        rows = [
            tuple(float(cell) if cell else None for cell in row.split(","))
            for row in given.split(";")
            if row
        ]
    except ValueError:
        return None
    if any(len(row) != numbers for row in rows) or len(rows) > MOST_ROWS:
        return None
    cells = [cell for row in rows for cell in row if cell is not None]
    whole = all(row[0] is None or row[0] in range(classes) for row in rows)
    return tuple(rows) if whole and all(map(math.isfinite, cells)) else None


def _written(rows: tuple[Row, ...]) -> str:
    return ";".join(",".join("" if c is None else f"{c:g}" for c in row) for row in rows)


def table(name: str, numbers: int, classes: int, default: tuple[Row, ...]) -> params.Param:
    """Rows of numbers, the first a class."""
    return params.Param(name, default, lambda given: _rows(given, numbers, classes), _written)


def _parts(given: str) -> tuple[str, ...] | None:
    found = tuple(part for part in PARTS if part in given.split("+"))
    return found or None


OBJECTS_DEFAULT: Final = ((0.0, 0.3, 0.4, 0.3, 0.3), (1.0, 0.7, 0.6, 0.3, 0.34))
PREDICTIONS_DEFAULT: Final = (
    (1.0, 0.8, 0.66, 0.57, 0.3, 0.3),
    (0.0, 0.9, 0.33, 0.43, 0.3, 0.32),
    (0.0, 0.5, 0.24, 0.36, 0.26, 0.3),
    (4.0, 0.8, 0.5, 0.15, 0.2, 0.2),
)
SOURCE = params.choice("dmode", ["scene", "own"])
MODEL = params.text("dm", "detr-mini")
SEED = params.number("dseed", 0, LARGEST_SEED, 7)
FIGURE = params.choice("dfig", list(FIGURES))
SLOT = params.number("dslot", -1, 999, -1)  # an object query; −1: none chosen
LAYER = params.number("dlayer", 0, 99, 99)  # of the decoder; beyond the last one: the last
HEAD = params.number("dhead", -1, 99, -1)  # −1: mean over the heads
ENCODER_LAYER = params.number("delayer", 0, 99, 99)
ENCODER_HEAD = params.number("dehead", -1, 99, -1)
PLACE = params.number("dplace", 0, 9999, 33)
TO = params.flag("dto")  # who looks at the place, instead of where it looks
SEEN = params.flag("dseen")  # the picture in the model's own pixels
PART = params.Param("dparts", PARTS, _parts, "+".join)
RULE = params.choice("drule", ["optimal", "greedy"])
PAIR_SLOT = params.number("dps", -1, 999, -1)  # the selected cell of the costs
PAIR_OBJECT = params.number("dpo", -1, 999, -1)
OBJECTS = table(
    "dobj", 5, len(CLASSES), OBJECTS_DEFAULT
)  # class, centre x, centre y, width, height
PREDICTIONS = table(
    "dpred", 6, len(ANSWERS), PREDICTIONS_DEFAULT
)  # class, its probability, the box
COUNT = params.number("dn", 50, 1000, 300)
PARAMS = (
    SOURCE, MODEL, SEED, FIGURE, SLOT, LAYER, HEAD, ENCODER_LAYER, ENCODER_HEAD, PLACE, TO, SEEN,
    PART, RULE, PAIR_SLOT, PAIR_OBJECT, OBJECTS, PREDICTIONS, COUNT,
)  # fmt: skip


def key(name: str) -> str:
    """The key of one of this view's components."""
    return f"{state.PAGE}.detr.{name}"
