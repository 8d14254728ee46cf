"""Temperature, top-k, top-p and the seed: the same four controls in two views."""

import streamlit as st

from app.views.gpt import state
from core.explain.predictions.sampling import Sampling


def sampling_controls() -> Sampling:
    """The sliders; says which of them makes it greedy."""
    first, second, third, fourth = st.columns(
        [4, 4, 4, 2], gap="medium", vertical_alignment="bottom"
    )
    first.slider(
        "Temperature T",
        0.0,
        3.0,
        step=0.05,
        key=state.key(state.TEMPERATURE),
        help="Logits are divided by T: below 1 the favourites gain, above 1 the others. 0: greedy.",
    )
    second.slider(
        "Top-k (0: off)",
        0,
        200,
        step=1,
        key=state.key(state.TOP_K),
        help="Only the k most probable tokens stay (Fan et al. 2018). 1: greedy.",
    )
    third.slider(
        "Top-p (1: off)",
        0.0,
        1.0,
        step=0.01,
        key=state.key(state.TOP_P),
        help="The fewest tokens that reach p together stay (Holtzman et al. 2020). 0: greedy.",
    )
    fourth.number_input("Seed", 0, 999_999, step=1, key=state.key(state.SEED))
    sampling = state.sampling()
    if sampling.greedy:
        st.caption(
            f"**Greedy**: {sampling.greedy} leaves only the most probable token, so the seed "
            "changes nothing."
        )
    return sampling
