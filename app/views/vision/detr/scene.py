"""A scene or a picture, and the detector that looks at it: the input of all figures but one."""

from typing import Final

import streamlit as st

from app.services import models
from app.services.vision import Picture
from app.ui.examples import example_chips
from app.ui.input_line import input_line
from app.ui.model_picker import model_title, pick_model
from app.ui.picture_input import pick_picture, picture_of, picture_title
from app.views.vision import inputs
from app.views.vision.detr.params import HERE, MODEL, OF, PIXELS, SEED
from app.views.vision.state import PICTURE
from core.catalog import Family

EXAMPLES: Final = {
    "four shapes": 7,
    "one star": 14,
    "two stars, side by side": 9,
    "green on green": 8,
}


def choose() -> str | None:
    """The scene by its seed or a picture, the model; None after saying that there is none."""
    cards = models.cards(Family.DETECTOR)
    if not cards:
        st.info(
            "No detector is on board, so only the matching is shown, on boxes of your own (see "
            "“Your own boxes”). Train one with `python -m core.training.detr_mini --minutes 40`.",
            icon=":material/info:",
        )
        return None
    of_picture = OF.value == "picture"
    title = picture_title(PICTURE) if of_picture else f"scene {SEED.value}"
    with input_line(title, model_title(MODEL, cards)):
        OF.segmented("What the detector sees", quiet=True)
        card = pick_model(MODEL, cards)
        if of_picture:
            pick_picture(PICTURE)
        else:
            SEED.number_input("Scene (seed)", step=1, width=150)
            example_chips(EXAMPLES, SEED.put, key=HERE.key("example"))
    return None if card is None else card.id


def given() -> int | Picture:
    """What the detector is shown: a scene's seed, or a picture."""
    return picture_of(PICTURE) if OF.value == "picture" else SEED.value


def display() -> None:
    """How the scene or the picture is drawn."""
    PIXELS.toggle("As the model sees it, pixel by pixel")


def display_maps() -> None:
    """The same, and how a map is painted over it."""
    display()
    inputs.display()
