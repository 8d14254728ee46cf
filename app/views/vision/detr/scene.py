"""A generated scene and the detector that looks at it: the input of all figures but one."""

from typing import Final

import streamlit as st

from app.services import models
from app.ui.input_line import beside_line, input_line
from app.ui.model_picker import model_title, pick_model
from app.views.vision.detr.params import HERE, MODEL, PIXELS, SEED
from core.catalog import Family

EXAMPLES: Final = {
    "four shapes": 7,
    "one star": 14,
    "two stars, side by side": 9,
    "green on green": 8,
}


def choose() -> str | None:
    """The scene by its seed, the model; None after saying that there is no detector."""
    cards = models.cards(Family.DETECTOR)
    if not cards:
        st.info(
            "No detector is on board, so only the matching is shown, on boxes of your own (see "
            "“Your own boxes”). Train one with `python -m core.training.detr_mini --minutes 40`.",
            icon=":material/info:",
        )
        return None
    with input_line(f"scene {SEED.value}", model_title(MODEL, cards)):
        SEED.number_input("Scene (seed)", step=1, width=150)
        card = pick_model(MODEL, cards)
        with beside_line(), st.container(horizontal=True):
            for name, seed in EXAMPLES.items():
                st.button(name, key=HERE.key(name), on_click=SEED.put, args=(seed,))
    return None if card is None else card.id


def display() -> None:
    """How the scene is drawn."""
    PIXELS.toggle("The scene as the model sees it, pixel by pixel")
