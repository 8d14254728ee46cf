"""This view's parameters; what several of its parts read is shared by them."""

import math
from typing import Final, Literal

from app.services.detector import NO_OBJECT
from app.ui.params import Choice, Param, Scope
from app.views.vision.state import PICTURE
from core.explain.objectives.hungarian_matching import CostPart

Row = tuple[float | None, ...]  # None: an empty cell
LARGEST_SEED: Final = 99_999  # the page's scenes; the training's have larger seeds
MOST_ROWS: Final = 12
CLASSES: Final = ("circle", "square", "triangle", "star")
ANSWERS: Final = (*CLASSES, NO_OBJECT)
ALL_TERMS: Final[tuple[CostPart, ...]] = ("class", "L1", "GIoU")
Rule = Literal["optimal", "greedy"]
RULES: Final[dict[Rule, str]] = {"optimal": "optimal (DETR)", "greedy": "greedy, for contrast"}


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


def _terms(given: str) -> tuple[CostPart, ...] | None:
    asked = given.split(",")
    return tuple(term for term in ALL_TERMS if term in asked) or None


HERE: Final = Scope("vision", "detr")
MODEL = HERE.text("model", "detr-mini")
SEED = HERE.whole("seed", 0, LARGEST_SEED, 7)
PIXELS = HERE.flag("pixels")  # the picture in the model's own
OF = HERE.choice("of", {"scene": "A generated scene", "picture": "A picture"})
SCENE: Final = (MODEL, SEED, PIXELS, OF, PICTURE)
SLOT = HERE.whole("slot", -1, 999, -1)  # an object query; −1: none chosen
LAYER = HERE.whole("layer", 0, 99, 99)  # of the decoder; beyond the last one: the last
HEAD = HERE.whole("head", -1, 99, -1)  # −1: mean over the heads

ENCODER: Final = Scope("vision", "detr.encoder")
ENCODER_LAYER = ENCODER.whole("layer", 0, 99, 99)
ENCODER_HEAD = ENCODER.whole("head", -1, 99, -1)
PLACE = ENCODER.whole("token", 0, 9999, 33)
DIRECTION = ENCODER.choice("direction", {"from": "where it looks", "to": "who looks at it"})

TERMS = HERE.custom("terms", ALL_TERMS, _terms, ",".join)  # of the cost
RULE: Final[Choice[Rule]] = HERE.choice("rule", RULES)
PAIR = HERE.cell("cell")  # of the costs: slot and object
MATCHING: Final = (TERMS, RULE, PAIR)

OBJECTS_DEFAULT: Final = ((0.0, 0.3, 0.4, 0.3, 0.3), (1.0, 0.7, 0.6, 0.3, 0.34))
PREDICTIONS_DEFAULT: Final = (
    (1.0, 0.8, 0.66, 0.57, 0.3, 0.3),
    (0.0, 0.9, 0.33, 0.43, 0.3, 0.32),
    (0.0, 0.5, 0.24, 0.36, 0.26, 0.3),
    (4.0, 0.8, 0.5, 0.15, 0.2, 0.2),
)


Table = Param[tuple[Row, ...]]


def _table(name: str, numbers: int, classes: int, default: tuple[Row, ...]) -> Table:
    """Rows of numbers, the first a class."""
    return HERE.custom(name, default, lambda given: _rows(given, numbers, classes), _written)


# class, centre x, centre y, width, height
OBJECTS = _table("objects", 5, len(CLASSES), OBJECTS_DEFAULT)
# class, its probability, the box
PREDICTIONS = _table("predictions", 6, len(ANSWERS), PREDICTIONS_DEFAULT)
COUNT = HERE.whole("scenes", 50, 1000, 300)
