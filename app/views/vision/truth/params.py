"""What is asked in this view, as it stands in links."""

from typing import Final

from app.services.vision import SAMPLES
from app.ui import params
from core.data.explanation_benchmark import FILLS, QUANTITIES
from core.data.pointing_game import Layout
from core.explain.attribution.registry import EVIDENCE, EvidenceMethod

CHECKS: Final = {
    "hide": "Hide what it names",
    "objects": "Two objects",
    "weights": "Random weights",
    "table": "The benchmark",
}
ANSWER: Final = -1  # the model's own answer, whatever the picture
ALWAYS: Final = "random"  # beside every other method
METHODS: Final[dict[str, EvidenceMethod]] = {method.id: method for method in EVIDENCE}
LAYOUTS: Final = {"side": Layout.SIDE_BY_SIDE, "stacked": Layout.STACKED}


def _methods(given: str) -> tuple[str, ...] | None:
    chosen = set(given.split("."))
    return tuple(name for name in METHODS if name in chosen and name != ALWAYS) or None


def _percent(given: str) -> int | None:
    """A share that was measured: 0, 10, …, 100."""
    return int(given) if given in map(str, range(0, 101, 10)) else None


CHECK = params.choice("truth", list(CHECKS))
CHOSEN = params.Param("truthm", ("rollout", "relevance"), _methods, ".".join)
CLASS = params.number("truthclass", ANSWER, 99_999, ANSWER)
FILL = params.choice("truthfill", list(FILLS))
HIDDEN = params.Param("truthhidden", 30, _percent)  # of the patches
OTHER = params.choice("truthother", SAMPLES, "rocket")
LAYOUT = params.choice("truthlayout", list(LAYOUTS))
FIRST = params.number("truthfirst", ANSWER, 99_999, ANSWER)
SECOND = params.number("truthsecond", ANSWER, 99_999, ANSWER)
BLOCKS = params.number("truthblocks", 0, 199, 1)
SEED = params.number("truthseed", 0, 99, 0)
CASCADE = params.flag("truthcascade")
TABLE_FILL = params.choice("truthtfill", list(FILLS))
QUANTITY = params.choice("truthq", list(QUANTITIES))
PARAMS = (
    CHECK, CHOSEN, CLASS, FILL, HIDDEN, OTHER, LAYOUT, FIRST, SECOND, BLOCKS, SEED, CASCADE,
    TABLE_FILL, QUANTITY,
)  # fmt: skip
