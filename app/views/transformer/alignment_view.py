"""Coming."""

import streamlit as st
from core.catalog import ModelCard


def render(card: ModelCard) -> None:
    st.write("coming")
