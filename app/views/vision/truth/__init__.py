"""Is it true? Explanations put to the test: by hiding, by two objects, by random weights."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from app.ui.export_bar import Export
from app.views.vision import inputs, state
from app.views.vision.inputs import Chosen
from app.views.vision.truth import benchmark, hiding, objects, params, weights
from app.views.vision.truth.words import about
from app.views.vision.why import asking as why_asking
from app.views.vision.why.asking import Classes
from core.catalog import Family

LEAD = (
    "A map can be pretty and false. If the patches that it names matter, hiding them must change "
    "the answer, faster than hiding patches at random."
)
PARAMS = params.PARAMS
LIVE: Final[dict[str, Callable[[Chosen, Classes], Export | None]]] = {
    "hide": hiding.render,
    "objects": objects.render,
    "weights": weights.render,
}


def render() -> Export | None:
    """The four checks; the last needs no picture."""
    check = st.segmented_control(
        "Check",
        list(params.CHECKS),
        format_func=params.CHECKS.__getitem__,
        key=state.key(params.CHECK),
        required=True,
        label_visibility="collapsed",
    )
    if check == "table":
        export = benchmark.render()
    else:
        chosen = inputs.choose(families=(Family.VISION,))
        classes = None if chosen is None else why_asking.classes_of(chosen)
        if chosen is None or classes is None:
            return None
        export = LIVE[str(check)](chosen, classes)
    about()
    return export
