"""A sentence and the model that reads it: the input of the parts that run a text model."""

from collections.abc import Callable

import streamlit as st

from app.services import engine, models
from app.ui import progress
from app.ui.model_picker import pick_model
from app.views.blocks.state import MODEL, TEXT
from core.catalog import Family, ModelCard

FAMILIES = (Family.TEXT_ENCODER, Family.TEXT_DECODER)


def sentence_and_model(chips: Callable[[], None] = lambda: None) -> ModelCard | None:
    """The opened model's card; None after its error was shown."""
    left, right = st.columns([6, 4], vertical_alignment="bottom")
    with right:
        card = pick_model(MODEL, models.cards(*FAMILIES), problems=models.problems())
    with left:
        TEXT.line("Sentence", max_chars=300)
    chips()
    return None if card is None else progress.outcome(engine.loaded_card(card.id), card.id)
