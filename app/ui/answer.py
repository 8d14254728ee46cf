"""A view's answer in one sentence made of the numbers that its figure shows, above the figure."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

KEY = "answer"


def answer(sentence: str = "") -> DeltaGenerator:
    """Say it here, in Markdown. Without a sentence: its place, for `.markdown` when it is known."""
    place = st.container(key=KEY).empty()
    if sentence:
        place.markdown(sentence)
    return place
