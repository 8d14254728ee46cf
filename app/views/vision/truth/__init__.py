"""Is it true? Explanations put to the test: by hiding, by objects, by random weights."""

from collections.abc import Callable
from functools import partial
from typing import Final

from app.ui.answer import answer
from app.ui.export_bar import Export
from app.ui.page import Drawn, View
from app.views.vision.classes import Classes, classes_of
from app.views.vision.inputs import Chosen, choose, display
from app.views.vision.picture_truth import says
from app.views.vision.state import SHARED
from app.views.vision.truth import benchmark, hiding, objects, params, place, weights
from core.catalog import Family

Say = Callable[[str], object]
Check = Callable[[Chosen, Classes, Say], Export | None]


def _live(figure: Check) -> Callable[[], Drawn]:
    """A check of the reader's own picture."""

    def render() -> Drawn:
        chosen = choose(families=(Family.VISION,))
        classes = None if chosen is None else classes_of(chosen)
        if chosen is None or classes is None:
            return None
        return partial(_drawn, figure, chosen, classes)

    return render


def _drawn(figure: Check, chosen: Chosen, classes: Classes) -> Export | None:
    """The model's answer and the truth, and what the check finds."""
    answered = says(chosen, classes.labels, classes.probabilities)
    place = answer(answered)
    return figure(chosen, classes, lambda found: place.markdown(f"{answered} {found}"))


OF_PICTURE: Final = (*SHARED, params.CHOSEN)
VIEW: Final = View(
    "truth",
    "Is it true?",
    parts=(
        View(
            "hide",
            "Hide what it names",
            (*OF_PICTURE, params.CLASS, params.FILL, params.HIDDEN),
            _live(hiding.figure),
            display,
        ),
        View(
            "objects",
            "Two objects",
            (*OF_PICTURE, params.OTHER, params.LAYOUT, params.FIRST, params.SECOND),
            _live(objects.figure),
            display,
        ),
        View(
            "place",
            "Your own mask",
            (*OF_PICTURE, params.PLACE_CLASS, params.OBJECT),
            _live(place.figure),
            display,
        ),
        View(
            "weights",
            "Random weights",
            (*OF_PICTURE, params.BLOCKS, params.SEED, params.DEPTHS),
            _live(weights.figure),
            display,
        ),
        View(
            "table", "The benchmark", (params.TABLE_FILL, params.QUANTITY), figure=benchmark.render
        ),
    ),
)
