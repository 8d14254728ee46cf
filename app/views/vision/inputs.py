"""The reader's picture and the model: how the views of this page begin."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.services import models, vision
from app.services.vision import Picture
from app.ui import progress
from app.ui.model_picker import pick_model
from app.ui.params import Param
from app.ui.picture_input import pick_picture
from app.views.vision.state import MODEL, PICTURE
from core.catalog import Family, ModelCard
from core.outputs.vision import SeenPicture

FAMILIES: Final = (Family.VISION, Family.MASKED_AUTOENCODER)


@dataclass(frozen=True)
class Chosen:
    """A model and a picture, and the crop of it that the model saw."""

    card: ModelCard
    picture: Picture
    seen: SeenPicture

    @property
    def source(self) -> str:
        """Model and picture, for captions."""
        return f"{self.card.title}, {self.picture.name}"


def choose(
    *,
    families: tuple[Family, ...] = FAMILIES,
    model: Param[str] = MODEL,
    offered: Callable[[ModelCard], bool] = lambda _: True,
) -> Chosen | None:
    """Draw the input; None after saying in the page what is missing."""
    notices = st.container()
    left, right = st.columns([7, 4], vertical_alignment="bottom")
    with left:
        picture = pick_picture(PICTURE)
    with right:
        cards = [card for card in models.cards(*families) if offered(card)]
        card = pick_model(model, cards, notices=notices)
    if card is None:
        return None
    with st.container():  # a progress line in it moves nothing below
        seen = progress.outcome(vision.seen(card.id, picture), card.id)
    return None if seen is None else Chosen(card, picture, seen)
