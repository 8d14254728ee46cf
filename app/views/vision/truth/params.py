"""What is asked in this view, as it stands in links."""

from typing import Final

from app.services.vision import SAMPLES
from app.ui.params import Choice, Scope
from app.views.vision import masks
from app.views.vision.classes import ANSWER
from core.data.explanation_benchmark import FILLS, QUANTITIES
from core.data.pointing_game import Layout
from core.explain.attribution.registry import EVERY, EvidenceMethod

ALWAYS: Final = "random"  # beside every other method
METHODS: Final[dict[str, EvidenceMethod]] = {method.id: method for method in EVERY}
LAYOUTS: Final = {"side": Layout.SIDE_BY_SIDE, "stacked": Layout.STACKED}


def _methods(given: str) -> tuple[str, ...] | None:
    chosen = set(given.split(","))
    return tuple(name for name in METHODS if name in chosen and name != ALWAYS) or None


def _percent(given: str) -> int | None:
    """A share that was measured: 0, 10, …, 100."""
    return int(given) if given in map(str, range(0, 101, 10)) else None


HERE: Final = Scope("vision", "truth")
CHOSEN = HERE.custom("methods", ("rollout", "relevance"), _methods, ",".join)

HIDE: Final = Scope("vision", "truth.hide")
CLASS = HIDE.whole("class", ANSWER, 99_999, ANSWER)
FILL: Final[Choice[str]] = HIDE.choice("fill", FILLS)
HIDDEN = HIDE.custom("hidden", 30, _percent, str)  # of the patches

OBJECTS: Final = Scope("vision", "truth.objects")
OTHER: Final[Choice[str]] = OBJECTS.choice("other_picture", SAMPLES, "rocket")
LAYOUT = OBJECTS.choice("layout", {name: str(layout) for name, layout in LAYOUTS.items()})
FIRST = OBJECTS.whole("class", ANSWER, 99_999, ANSWER)
SECOND = OBJECTS.whole("other_class", ANSWER, 99_999, ANSWER)

PLACE: Final = Scope("vision", "truth.place")
PLACE_CLASS = PLACE.whole("class", ANSWER, 99_999, ANSWER)
OBJECT = PLACE.custom("object", masks.NOTHING, masks.read_painted, masks.written_painted)

WEIGHTS: Final = Scope("vision", "truth.weights")
BLOCKS = WEIGHTS.whole("blocks", 0, 199, 1)
SEED = WEIGHTS.whole("seed", 0, 99, 0)
DEPTHS = WEIGHTS.flag("depths")

TABLE: Final = Scope("vision", "truth.table")
TABLE_FILL: Final[Choice[str]] = TABLE.choice("fill", FILLS)
QUANTITY: Final[Choice[str]] = TABLE.choice("quantity", QUANTITIES)
