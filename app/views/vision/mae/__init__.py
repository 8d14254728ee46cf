"""A masked autoencoder: hide patches of the picture, see what the model paints there."""

from typing import Final

import streamlit as st

from app.services import masked_autoencoder
from app.ui import progress
from app.ui.export_bar import Export
from app.views.vision import inputs
from app.views.vision.mae import curve, exports, figure, learning, params, words
from core.catalog import Family

LEAD: Final = (
    "It sees a quarter of the picture and paints the rest. How much of a picture can be known "
    "from the little that is left?"
)
PARAMS: Final = params.PARAMS


def render() -> Export | None:
    """Input and mask, four pictures, the error by share, the training, what it all is."""
    chosen = inputs.choose(families=(Family.MASKED_AUTOENCODER,), param=params.MODEL)
    if chosen is None:
        return None
    shown = figure.render(chosen)
    if shown is None:
        return None
    by_ratio = progress.outcome(
        masked_autoencoder.error_by_ratio(chosen.card.id, chosen.picture), chosen.card.id
    )
    left, right = st.columns(2, gap="large")
    with left:
        if by_ratio is not None:
            curve.render(chosen, shown, by_ratio)
    with right:
        learning.render(chosen.card)
    words.about(chosen.card, shown)
    return exports.export(chosen, shown, by_ratio)
