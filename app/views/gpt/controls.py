"""Temperature, top-k, top-p and the seed: the same four controls in two views."""

import streamlit as st

from app.ui.controls import controls
from app.views.gpt.state import SEED, TEMPERATURE, TOP_K, TOP_P, sampling
from core.explain.predictions.sampling import Sampling


def sampling_controls() -> Sampling:
    """The sliders in a row; says which of them makes it greedy."""
    with controls():
        sampling_sliders()
    return told()


def sampling_sliders() -> None:
    """The controls themselves, wherever they stand."""
    TEMPERATURE.slider(
        "Temperature T",
        step=0.05,
        help="Logits are divided by T: below 1 the favourites gain, above 1 the others. 0: greedy.",
    )
    TOP_K.slider(
        "Top-k (0: off)",
        step=1,
        help="Only the k most probable tokens stay (Fan et al. 2018). 1: greedy.",
    )
    TOP_P.slider(
        "Top-p (1: off)",
        step=0.01,
        help="The fewest tokens that reach p together stay (Holtzman et al. 2020). 0: greedy.",
    )
    SEED.number_input("Seed", step=1)


def told() -> Sampling:
    """How the next token is chosen; what makes it greedy is said."""
    chosen = sampling()
    if chosen.greedy:
        st.caption(
            f"**Greedy**: {chosen.greedy} leaves only the most probable token, so the seed "
            "changes nothing."
        )
    return chosen
