"""The benchmark of explanations as a value: assets/truth.json, of tests/benchmarks/truth.py.

It says of which weights it speaks; figures of other weights are nobody's.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from core.catalog.checkpoints import EMBEDDED_MODELS
from core.errors import InputError
from core.explain.attribution.bootstrap import Interval

PLACE: Final = EMBEDDED_MODELS.parent / "truth.json"
COMMAND: Final = "python -m tests.benchmarks.truth --data DIR"
TIE: Final = 2.0  # points: a smaller difference is none


@dataclass(frozen=True)
class Column:
    """One figure of every method, in percent or points."""

    id: str
    title: str
    better: int  # 1: more is better, −1: less is
    meaning: str


CURVES: Final = (  # each by what stands in hidden patches, and by what is measured
    Column(
        "negative",
        "least relevant first ↑",
        1,
        "Area under the curve when the least relevant patches are hidden first, 0 to 90 %.",
    ),
    Column("positive", "most relevant first ↓", -1, "The same, the most relevant hidden first."),
    Column("gap", "gap ↑", 1, "The first area less the second: 0 for a map that says nothing."),
    Column(
        "over-random",
        "gap over random ↑",
        1,
        "The method's gap less the random map's, picture by picture (paired).",
    ),
)
PLACES: Final = (
    Column(
        "pointing",
        "pointing ↑",
        1,
        "How often the strongest patch lies on the pet (half of it or more).",
    ),
    Column(
        "mass",
        "mass on the pet ↑",
        1,
        "Share of positive evidence inside the pet's outline; the border counts on no side.",
    ),
    Column(
        "share",
        "asked object's share ↑",
        1,
        "Two objects in one picture: share of positive evidence on the half that was asked for.",
    ),
)
FILLS: Final = {"mean": "the mean colour", "blur": "a blur"}
QUANTITIES: Final = {
    "kept": "pictures whose prediction is kept",
    "probability": "the predicted class's probability",
}


@dataclass(frozen=True)
class MethodRow:
    """One method's figures; a figure that was not measured is missing."""

    id: str
    title: str
    figures: Mapping[str, Interval]


@dataclass(frozen=True)
class TruthTable:
    """All methods, losers included, and what the figures were measured on."""

    model: str
    weights: str  # fingerprint of the checkpoint's weights
    date: str
    command: str
    seconds: float
    seed: int
    counts: Mapping[str, int]  # photographs, pets, halves
    methods: tuple[MethodRow, ...]

    def speaks_of(self, model: str, weights: str) -> bool:
        return (self.model, self.weights) == (model, weights)

    def is_of_what_is_shipped(self) -> bool:
        """Whether the embedded model of this name has the weights that were measured."""
        folder = EMBEDDED_MODELS / self.model
        if not (folder / "model.safetensors").exists():
            return False
        return self.speaks_of(self.model, fingerprint(folder))


def curve_id(column: str, fill: str, quantity: str) -> str:
    """A curve's figure in `MethodRow.figures`: "gap.blur.kept"."""
    return f"{column}.{fill}.{quantity}"


def fingerprint(folder: Path) -> str:
    """The first 16 digits of the SHA-256 of a checkpoint's weights."""
    file = folder / "model.safetensors"
    return _digest(file, file.stat().st_mtime_ns)[:16]


@lru_cache(maxsize=16)  # a page asks at every click
def _digest(path: Path, _changed: int) -> str:
    """Of a file as it was when it last changed."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_table(table: TruthTable, path: Path) -> None:
    """As JSON; an interval becomes [mean, low, high], to a hundredth of a point."""
    told: dict[str, Any] = asdict(table)
    for row in told["methods"]:
        row["figures"] = {
            name: [round(value, 2) for value in figure.values()]
            for name, figure in row["figures"].items()
        }
    path.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


def read_table(path: Path) -> TruthTable:
    """Raises InputError where there is no table, or not a whole one."""
    if not path.exists():
        raise InputError(f"There is no {path.name} yet. It is measured by: {COMMAND}")
    try:
        told = json.loads(path.read_text("utf-8"))
        rows = tuple(
            MethodRow(
                str(row["id"]),
                str(row["title"]),
                {name: Interval(*map(float, three)) for name, three in row["figures"].items()},
            )
            for row in told.pop("methods")
        )
        return TruthTable(**told, methods=rows)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path.name} is not whole ({type(error).__name__}). Measure it again: {COMMAND}"
        ) from error
