"""What looks, which way, and how heads are made one."""

from typing import Final

import streamlit as st

from app.services import models
from app.services.vision_attention import Traced
from app.views.vision.attention import params
from app.views.vision.inputs import FAMILIES

NONE: Final = "no second model"
TOKENS: Final = params.HERE.key("tokens")


def controls(traced: Traced) -> None:
    """One row above the figure."""
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
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with left:
        params.KEEP.slider("Keep the brightest patches that hold … % of the mass")
    with right:
        params.SHARED_SCALE.toggle("One scale for all heads")


def _tokens(traced: Traced) -> None:
    """Prefix tokens as chips, and all patches as one; none is lit while a patch is chosen."""
    token = params.token_of(traced)
    values = (*range(len(traced.prefix)), params.MEAN_OF_PATCHES)
    chosen = params.MEAN_OF_PATCHES if token is None else token
    st.session_state[TOKENS] = chosen if chosen in values else None
    st.pills(
        "Click a patch, or choose",
        values,
        format_func=lambda value: params.token_name(traced, None if value < 0 else value),
        key=TOKENS,
        on_change=_take_token,
    )


def _take_token() -> None:
    chosen: int | None = st.session_state[TOKENS]
    params.TOKEN.put(params.BEST if chosen is None else chosen)


def _second(traced: Traced) -> None:
    """The model beside; none at first."""
    titles = {card.id: card.title for card in models.cards(*FAMILIES) if card.id != traced.card.id}
    if params.OTHER_MODEL.value not in titles:
        params.OTHER_MODEL.put("")
    st.selectbox(
        "Second model",
        ["", *titles],
        format_func=lambda name: titles.get(name, NONE),
        key=params.OTHER_MODEL.key,
        label_visibility="collapsed",
        help="The same picture and the same click, in another model.",
    )
