"""A view's answer in one sentence made of the numbers that its figure shows, above the figure."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.catalog import ModelCard

KEY = "answer"


def answer(sentence: str = "") -> DeltaGenerator:
    """Say it here, in Markdown. Without a sentence: its place, for `.markdown` when it is known."""
    place = st.container(key=KEY).empty()
    if sentence:
        place.markdown(sentence)
    return place


def model_name(card: ModelCard) -> str:
    """A model in a sentence: its title without where it was trained."""
    return card.title.removesuffix(" (trained here)")
