"""The patches view's own explanation."""

import streamlit as st

from app.style.markdown_escape import plain
from app.views.vision.patches.token_steps import Steps


def about(steps: Steps) -> None:
    """Equation 1 of the paper with this model's sizes."""
    st.subheader("What am I looking at?")
    embedding = steps.embedding
    grid = embedding.grid
    n_patches, high, wide = embedding.pixels.shape[:3]
    n_tokens = n_patches + len(steps.seen.prefix)
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"z_0=[\,x_{\mathrm{class}};\;x_p^1E;\;x_p^2E;\;\dots;\;x_p^NE\,]+E_{\mathrm{pos}}"
        )
        st.markdown(
            f"Here *N* = {grid.rows} × {grid.columns} = {n_patches} patches of {high} × {wide} × 3 "
            f"= {3 * high * wide} numbers, *E* is {3 * high * wide} × {steps.width}, and "
            f"{n_tokens} tokens enter the first block. "
            "([Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929), equation 1.)"
        )
    with right:
        st.markdown(
            "**To the model a patch is a point of a space, not a little picture.** Whatever lies "
            "inside it is told apart by this one linear map, the same for every place; where it "
            "was, only its position says. Tokens that are no patch are learned vectors, the same "
            f"for every picture; here: {plain(', '.join(steps.seen.prefix)) or 'none'}."
        )
