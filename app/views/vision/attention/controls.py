"""What looks, which way, and how heads are made one."""

from typing import Final

import streamlit as st

from app.services import vision
from app.services.vision_attention import Traced
from app.views.vision import state
from app.views.vision.attention import params
from app.views.vision.inputs import FAMILIES

DIRECTIONS = {"from": "Where it looks", "to": "Who looks at it"}
FUSIONS = {"one": "One head", "mean": "Mean", "max": "Max", "min": "Min"}
NONE = "no second model"
TOKENS: Final = f"{state.PAGE}.attention.tokens"


def controls(traced: Traced) -> None:
    """One row above the figure."""
    tokens, direction, fusion, second = st.columns(
        [9, 7, 9, 7], gap="small", vertical_alignment="bottom"
    )
    with tokens:
        _tokens(traced)
    with direction:
        st.segmented_control(
            "Direction",
            list(DIRECTIONS),
            format_func=DIRECTIONS.__getitem__,
            key=state.key(params.DIRECTION),
            required=True,
            label_visibility="collapsed",
        )
    with fusion:
        st.segmented_control(
            "Heads",
            list(FUSIONS),
            format_func=FUSIONS.__getitem__,
            key=state.key(params.FUSION),
            required=True,
            label_visibility="collapsed",
        )
    with second:
        _second(traced)


def scale_controls() -> None:
    """The threshold and the scale, under the figure."""
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with left:
        st.slider(
            "Keep the brightest patches that hold … % of the mass",
            1,
            100,
            key=state.key(params.KEEP),
        )
    with right:
        st.toggle("One scale for all heads", key=state.key(params.SHARED))


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
    chosen = st.session_state[TOKENS]
    state.put(params.TOKEN, params.BEST if chosen is None else chosen)


def _second(traced: Traced) -> None:
    """The model beside; none at first."""
    titles = {card.id: card.title for card in vision.cards(FAMILIES) if card.id != traced.card.id}
    if state.get(params.SECOND) not in titles:
        state.put(params.SECOND, "")
    st.selectbox(
        "Second model",
        ["", *titles],
        format_func=lambda name: titles.get(name, NONE),
        key=state.key(params.SECOND),
        label_visibility="collapsed",
        help="The same picture and the same click, in another model.",
    )
