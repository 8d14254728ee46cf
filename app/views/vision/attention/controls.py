"""What looks, which way, and how heads are made one."""

from typing import Final, cast

import streamlit as st

from app.services import models
from app.services.vision_attention import Traced
from app.ui.controls import controls as row
from app.ui.options import WIDGET, one_of, option_widget
from app.views.vision.attention import params
from app.views.vision.inputs import FAMILIES

NONE: Final = "no second model"


def controls(traced: Traced) -> None:
    """One row above the figure."""
    with row():
        tokens, direction, fusion, second = st.columns(
            [9, 7, 9, 7], gap="small", vertical_alignment="bottom"
        )
        with tokens:
            _tokens(traced)
        with direction:
            params.DIRECTION.segmented("Direction", quiet=True)
        with fusion:
            params.FUSION.segmented("Heads", quiet=True)
        with second:
            _second(traced)


def scale_controls() -> None:
    """The threshold and the scale, under the figure."""
    with row("-scale"):
        params.KEEP.slider("Keep the brightest, % of the mass")
        params.SHARED_SCALE.toggle("One scale for all")


def _tokens(traced: Traced) -> None:
    """Prefix tokens as chips, and all patches as one; none is lit while a patch is chosen."""
    token = params.token_of(traced)
    values = (*range(len(traced.prefix)), params.MEAN_OF_PATCHES)
    chosen = params.MEAN_OF_PATCHES if token is None else token
    option_widget(
        st.pills,
        "Click a patch, or choose",
        values,
        lambda value: params.token_name(traced, None if value < 0 else value),
        key=params.TOKEN.key + WIDGET,
        shown=chosen if chosen in values else None,
        take=lambda value: params.TOKEN.put(params.BEST if value is None else cast("int", value)),
    )


def _second(traced: Traced) -> None:
    """The model beside; none at first."""
    titles = {card.id: card.title for card in models.cards(*FAMILIES) if card.id != traced.card.id}
    if params.OTHER_MODEL.value not in titles:
        params.OTHER_MODEL.put("")
    one_of(
        params.OTHER_MODEL,
        st.selectbox,
        "Second model",
        ["", *titles],
        lambda name: titles.get(name, NONE),
        label_visibility="collapsed",
        help="The same picture and the same click, in another model.",
    )
