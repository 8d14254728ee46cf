"""The page's own sentences: formulas, papers, cautions."""

import streamlit as st

from app.style.number_format import three
from core import positions

VIT = "[Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929)"
COUNTED = 100_000  # positions in which the nearest return is looked for


def unique_positions(d: int, base: float) -> None:
    """The range of wavelengths, and why “unique for 10000 positions” is no consequence of it."""
    lengths = positions.wavelengths(d, base)
    k, distance, one = positions.nearest_return(d, base, COUNTED)
    st.latex(
        r"2\pi = 6.28 \quad\text{to}\quad 2\pi\cdot "
        rf"{base:.0f}^{{({d}-2)/{d}}} = {lengths[-1]:,.2f}".replace(",", r"\,")
    )
    st.markdown(
        f"positions, here in {d // 2} steps of a constant factor.\n\n"
        "**“Unique for 10,000 positions”**, as lectures say, is wrong. 10,000 is the base of the "
        "ladder, no number of positions; the longest wave is given above. No two positions ever "
        "share a vector: the first pair would have to turn by a multiple of 2π in "
        "a whole number of steps, and π is irrational. What is finite is *how far apart* two "
        "vectors are. That depends on all wavelengths, not on the base alone: among the first "
        f"{COUNTED:,} offsets, a position comes nearest to itself after {k:,} "
        f"{'step' if k == 1 else 'steps'}, at a distance of {three(distance)} (neighbours: "
        f"{three(one)})."
    )
    if k == 1:
        st.caption(
            "So here no far position is as similar as the next one. Set d_model to 2: the base "
            "drops out, and 710 steps (113 turns, nearly) come back to within 6 · 10⁻⁵."
        )
