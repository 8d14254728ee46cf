"""What the projection looks for: its filters' principal components, and how they came about."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_map
from app.services import patch_embedding as door
from app.services import training_history
from app.style.number_format import three
from app.ui.snapshot_slider import END, moment_slider
from app.views.vision.patches import params
from core.catalog import ModelCard
from core.data.snapshots import Moments
from core.explain.embeddings.patch_filters import as_colours, mosaic, with_fixed_signs
from core.outputs.patch_embedding import PatchEmbedding

FILTERS = "filters"  # their name among the kept moments
ACROSS = 7  # tiles a row, as in the paper's figure
TILE = 56  # px of the drawn picture, about
WIDTH = 460.0


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The components that are drawn, and their shares of variance if they are the model's own."""

    components: np.ndarray  # (component, row, column, 3)
    explained: np.ndarray | None


def draw_filters(card: ModelCard, embedding: PatchEmbedding) -> Shown:
    """The paper's figure 7, left, with a slider for models trained here."""
    st.subheader("What does the projection look for?")
    left, right = st.columns([5, 6], gap="large", vertical_alignment="top")
    own = door.filters(card.id, embedding)
    with right:
        moment = _moment(training_history.moments(card, FILTERS))
        shown = Shown(own.components, own.explained) if moment is None else Shown(moment, None)
        _words(card, embedding, shown)
    with left:
        picture_map(_figure(card, shown), key=params.HERE.key("filters"), clickable=False)
    return shown


def _figure(card: ModelCard, shown: Shown) -> PictureMap:
    n_tiles, high, wide = shown.components.shape[:3]
    sheet = mosaic(
        as_colours(shown.components), ACROSS, scale=max(1, TILE // max(high, wide)), gap=2
    )
    down = -(-n_tiles // ACROSS)
    notes = [f"component {index}" for index in range(n_tiles)]
    if shown.explained is not None:
        notes = [
            f"{note}: {three(100 * float(share))} % of the filters’ variance"
            for note, share in zip(notes, shown.explained, strict=True)
        ]
    notes += [""] * (down * ACROSS - n_tiles)
    label = f"{card.title}: first {n_tiles} principal components of the patch filters"
    return PictureMap(
        picture=sheet,
        rows=down,
        columns=ACROSS,
        label=label,
        caption=f"{label}, one scale, zero is grey",
        notes=tuple(notes),
        width=WIDTH,
        grid=False,
        title=f"First {n_tiles} principal components of the filters",
    )


def _moment(training: Moments | None) -> np.ndarray | None:
    """The components at the chosen moment; None for the model as it is."""
    if training is None:
        st.caption("No snapshots of this model’s training are here: it is shown as it is.")
        return None
    at = moment_slider("Watch them form", training, params.MOMENT)
    return None if at == END else with_fixed_signs(training.values[at])


def _words(card: ModelCard, embedding: PatchEmbedding, shown: Shown) -> None:
    n_filters, high, wide = embedding.filters.shape[:3]
    st.markdown(
        f"The projection has {n_filters} filters, each {high} × {wide} pixels in three colours. "
        f"The {len(shown.components)} tiles are the directions along which they differ most, "
        "largest share first. In a trained model they look like the smooth blobs, edges and colour "
        "contrasts of a cosine basis, although nothing asked for it; in an untrained one, like "
        "noise. Zero is grey, one scale for all tiles; a component’s sign is arbitrary. "
        "([Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929), figure 7, left.)"
    )
    if shown.explained is not None:
        st.caption(
            f"They hold {three(100 * float(shown.explained.sum()))} % of the variance of "
            f"{card.title}’s filters."
        )
