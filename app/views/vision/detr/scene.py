"""A generated scene and what a detector makes of it: the input, and four figures to choose from."""

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.export_bar import Export
from app.views.vision import state
from app.views.vision.detr import encoder, matched, params, queries, slots
from app.views.vision.detr.params import FIGURE, FIGURES, LARGEST_SEED, MODEL, SEED, SEEN
from core.catalog import ModelCard

EXAMPLES = {
    "four shapes": 7,
    "one star": 14,
    "two stars, side by side": 9,
    "green on green": 8,
}
DRAW = {"queries": queries, "encoder": encoder, "matching": matched, "slots": slots}


def render(cards: tuple[ModelCard, ...]) -> Export | None:
    """Scene and model, then the chosen figure."""
    model_id = _controls({card.id: card for card in cards})
    return DRAW[state.get(FIGURE)].render(model_id)


def _controls(cards: dict[str, ModelCard]) -> str:
    """The scene by its seed; the model where there is a choice."""
    asked = state.get(MODEL)
    if asked not in cards:
        state.put(MODEL, next(iter(cards)))
        if asked != MODEL.default:
            st.info(f"There is no detector “{plain(asked)}” here; another one is shown.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input("Scene (seed)", 0, LARGEST_SEED, step=1, key=state.key(SEED), width=150)
        for name, seed in EXAMPLES.items():
            st.button(name, key=params.key(name), on_click=state.put, args=(SEED, seed))
        if len(cards) > 1:
            st.selectbox(
                "Model",
                list(cards),
                format_func=lambda name: cards[name].title,
                key=state.key(MODEL),
                width=200,
            )
        with st.popover("Picture", icon=":material/image:", width="content"):
            st.toggle("as the model sees it, pixel by pixel", key=state.key(SEEN))
    st.segmented_control(
        "Figure",
        list(FIGURES),
        format_func=FIGURES.__getitem__,
        key=state.key(FIGURE),
        required=True,
        label_visibility="collapsed",
    )
    return state.get(MODEL)
