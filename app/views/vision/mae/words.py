"""This view's own sentences: formula, paper, cautions."""

import streamlit as st

from app.services import training_history
from app.style.markdown_escape import plain
from app.views.vision import state
from app.views.vision.inputs import Chosen
from app.views.vision.mae import params
from core.catalog import ModelCard
from core.outputs.autoencoder import Reconstruction

HE = "[He et al. 2022](https://arxiv.org/abs/2111.06377)"


def number(value: float) -> str:
    """Three significant digits."""
    return f"{value:.3g}"


def settings(chosen: Chosen, made: Reconstruction) -> str:
    """Model, picture and mask in one line."""
    hidden = int(made.hidden.sum())
    how = (
        "painted mask"
        if state.get(params.PAINTED) is not None
        else f"random mask, draw {state.get(params.DRAW)}"
    )
    return (
        f"{chosen.card.title} · {chosen.picture.name} · {hidden} of {made.hidden.size} patches "
        f"hidden ({how})"
    )


def about(card: ModelCard, made: Reconstruction) -> None:
    """Two columns: what is computed; what to be careful with."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    height = len(made.picture) // made.grid.rows
    with left:
        st.latex(r"\hat x=\mathrm{Dec}\big(\mathrm{Enc}(x_{\text{visible}}),\,[\text{mask}]\big)")
        st.latex(
            r"\mathcal L=\frac1{|\mathcal M|}\sum_{i\in\mathcal M}\tfrac1{3P^2}\lVert \hat x_i-x_i"
            r"\rVert^2"
        )
        st.markdown(
            f"The encoder gets only the visible patches (and [CLS]): hidden ones are not greyed "
            "out, they are *absent*. A small decoder then gets the encoder's outputs, and at every "
            "hidden place M one and the same learned mask vector with the place's position; it "
            f"paints all P × P = {height} × {height} pixels of each patch. Only hidden patches "
            f"count in the error ({HE}, section 3). Nobody needs the decoder afterwards: the "
            "encoder is what pre-training is for."
        )
    with right:
        st.markdown(
            "**Cautions.** Paintings are blurred because the mean of everything plausible has the "
            "least squared error: blur is not failure to see. Visible patches look *worse* than "
            "hidden ones when nothing is pasted: no error ever asked for them. The paper's best "
            "encoders predict patches normalised one by one (norm_pix_loss); to show those, "
            "figures elsewhere borrow each hidden patch's true mean and contrast, which **leaks "
            "the answer**. This model predicts colours themselves, so nothing of a hidden patch "
            "is in the painting; the price is paler texture. A good painting is no proof of good "
            "features, nor the other way round."
        )
        if card.id == "mae-mini":
            found = training_history.figures(card)
            st.markdown(
                "mae-mini is small: pictures of 112 pixels, 7,129 photographs, 50 minutes on two "
                "CPU cores; the paper's had 1.28 million pictures and 800 epochs or more. On "
                f"photographs it never saw its error is {number(found['hidden_error'])}, that of "
                f"one flat colour {number(found['mean_colour_error'])}. It goes on with colours, "
                "shades and edges, and knows few things as things: hide the cat's eye whole and "
                "it paints fur, worse than one flat colour would be."
            )
        st.markdown(f"Model: {plain(card.title)}. {plain(card.paper)}")
