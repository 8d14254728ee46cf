"""Which query finds which object? DETR's set prediction, with a small model or with own boxes."""

import streamlit as st

from app.services import detector
from app.ui.export_bar import Export
from app.views.vision import state
from app.views.vision.detr import own, params, scene, words
from app.views.vision.detr.params import SOURCE

LEAD = (
    "DETR predicts a set: a fixed number of slots, each with a box and a class or “no object”. "
    "Which slot answers for which object is settled by the cheapest matching."
)
PARAMS = params.PARAMS
SOURCES = {"scene": "A generated scene, a small DETR", "own": "Your own boxes"}


def render() -> Export | None:
    """A scene with the model, or the matching alone."""
    cards = detector.cards()
    if not cards:
        st.info(
            "No detector is on board, so only the matching is shown, on boxes of your own. Train "
            "one with `python -m core.training.detr_mini --minutes 40`.",
            icon=":material/info:",
        )
        state.put(SOURCE, "own")
    else:
        st.segmented_control(
            "What is matched",
            list(SOURCES),
            format_func=SOURCES.__getitem__,
            key=state.key(SOURCE),
            required=True,
            label_visibility="collapsed",
        )
    if state.get(SOURCE) == "own":
        export = own.render()
        words.about_matching()
        return export
    return scene.render(cards)
