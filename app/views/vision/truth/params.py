"""What is asked in this view, as it stands in links."""

from typing import Final

from app import links
from app.seeing import SAMPLES
from core.collages import Layout
from core.evidence import EVIDENCE, EvidenceMethod
from core.truth_table import FILLS, QUANTITIES

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


CHECK = links.choice("truth", list(CHECKS))
CHOSEN = links.Param("truthm", ("rollout", "relevance"), _methods, ".".join)
CLASS = links.number("truthclass", ANSWER, 99_999, ANSWER)
FILL = links.choice("truthfill", list(FILLS))
HIDDEN = links.Param("truthhidden", 30, _percent)  # of the patches
OTHER = links.choice("truthother", SAMPLES, "rocket")
LAYOUT = links.choice("truthlayout", list(LAYOUTS))
FIRST = links.number("truthfirst", ANSWER, 99_999, ANSWER)
SECOND = links.number("truthsecond", ANSWER, 99_999, ANSWER)
BLOCKS = links.number("truthblocks", 0, 199, 1)
SEED = links.number("truthseed", 0, 99, 0)
CASCADE = links.flag("truthcascade")
TABLE_FILL = links.choice("truthtfill", list(FILLS))
QUANTITY = links.choice("truthq", list(QUANTITIES))
PARAMS = (
    CHECK, CHOSEN, CLASS, FILL, HIDDEN, OTHER, LAYOUT, FIRST, SECOND, BLOCKS, SEED, CASCADE,
    TABLE_FILL, QUANTITY,
)  # fmt: skip
