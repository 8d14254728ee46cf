"""A masked autoencoder: hide patches of the picture, see what the model paints there."""

from functools import partial
from typing import Final

import streamlit as st

from app.services import masked_autoencoder
from app.ui import progress
from app.ui.export_bar import Export
from app.ui.page import Drawn, View
from app.views.vision.inputs import Chosen, choose, display
from app.views.vision.mae import curve, exports, figure, learning, params
from core.catalog import Family


def render() -> Drawn:
    """Input, then what follows from it."""
    chosen = choose(families=(Family.MASKED_AUTOENCODER,), model=params.MODEL, whole=None)
    return None if chosen is None else partial(_figure, chosen)


def _figure(chosen: Chosen) -> Export | None:
    """Mask, four pictures, the error by share, the training."""
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
    return exports.export(chosen, shown, by_ratio)


VIEW: Final = View("mae", "Masked autoencoder", params.PARAMS, render, display)
