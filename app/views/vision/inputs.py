"""The reader's picture and the model: how the views of this page begin."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from app.services import models, vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.input_line import input_line
from app.ui.model_picker import model_title, pick_model
from app.ui.overlay import overlay
from app.ui.params import Flag, Param
from app.ui.picture_input import pick_picture, picture_title
from app.ui.provenance import note_picture
from app.views.vision.state import CONTRAST, MODEL, NAMES, OVERLAY, PICTURE, WHOLE
from core.catalog import Family, ModelCard
from core.outputs.vision import Resampled, SeenPicture

UNSEEN: Final = (
    "It has never seen such a shape, so it may be less sure than of the centre. The picture is "
    "stretched by less than half a patch."
)
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
    whole: Flag | None = WHOLE,
) -> Chosen | None:
    """Draw the input; None after saying in the page what is missing.

    whole: None where a view's models take pictures of one size alone.
    """
    cards = [card for card in models.cards(*families) if offered(card)]
    with input_line(picture_title(PICTURE), model_title(model, cards)):
        card = pick_model(model, cards)
        picture = pick_picture(PICTURE)
        if whole is not None:
            picture = replace(picture, whole=_whole(whole, picture))
    if card is None:
        return None
    with st.container():  # a progress line in it moves nothing below
        seen = progress.outcome(vision.seen(card.id, picture), card.id)
        if seen is None and picture.whole:  # it was told why
            picture = replace(picture, whole=False)
            seen = progress.outcome(vision.seen(card.id, picture), card.id)
            st.caption("The centre of the picture is shown instead.")
    if seen is None:
        return None
    note_picture(seen.picture)
    if seen.resampled is not None:
        st.caption(_resampled(card, seen, seen.resampled), help=UNSEEN)
    return Chosen(card, picture, seen)


def display() -> None:
    """How maps are painted over the picture."""
    overlay(OVERLAY, CONTRAST)


def display_of_heads() -> None:
    """The same, and what heads are called."""
    display()
    NAMES.control()


def _whole(param: Flag, picture: Picture) -> bool:
    """The toggle beside the picture; of a square one there is nothing more to show."""
    square = picture.is_square
    param.toggle(
        "Whole picture",
        disabled=square,
        help="This picture is square: all of it is shown."
        if square
        else "Keeps the picture’s shape: nothing is cropped, its long side gets more patches.",
    )
    return param.value and not square


def _resampled(card: ModelCard, seen: SeenPicture, made: Resampled) -> str:
    """What the model did not learn in training, and had to be made for this shape."""
    grid, trained = seen.grid, made.trained
    parts: list[str] = []
    if made.table:
        parts.append("its table of positions is interpolated (bicubic)")
    if made.offsets:
        parts.append("its biases by distance are interpolated")
    if made.angles:
        parts.append("its rotary angles are worked out anew")
    how = f": {' and '.join(parts)}" if parts else ""
    return plain(
        f"{card.title} was trained on {trained.rows} × {trained.columns} patches and is shown "
        f"{grid.rows} × {grid.columns}{how}."
    )
