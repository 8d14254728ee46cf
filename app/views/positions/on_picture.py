"""A picture model's patches with other positions, or none: what it answers, and the residual."""

import io
from typing import Final

import streamlit as st
from PIL import Image

from app.components.candidates import Candidate, candidates
from app.content.pictures import truth
from app.services import engine, models, positions, vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.options import one_of
from app.ui.params import Choice, Scope
from app.ui.picture_input import pick_known
from app.views.positions import equivariance
from core.catalog import Family, ModelCard
from core.interventions import DropPositions, PermutePositions, PositionChange
from core.outputs.vision import ClassPrediction
from core.positions import order_of

SHOWN = 180  # px: the picture's width

HERE: Final = Scope("positions", "order")
MODEL: Final = HERE.text("picture_model", "vit-mini")
PICTURE: Final[Choice[str]] = HERE.choice("picture", list(vision.SAMPLES))
SEED: Final = HERE.whole("picture_seed", 0, 99, 1)
PARAMS: Final = (MODEL, PICTURE, SEED)


def render() -> None:
    """Picture, answers with three kinds of positions, the residual under a new order of patches."""
    st.subheader("The same with a picture")
    every = models.cards(Family.VISION)
    cards = {card.id: card for card in every if not models.needs_network(card)}
    if not cards:
        st.caption(
            "No picture model is on board. Name a timm checkpoint directory (ViT, Swin) in "
            "GLASSFORMER_CHECKPOINTS to see it here: a ViT without positions gives the same answer "
            "for any order of its patches; a Swin does not, its windows tell them apart."
        )
        return
    if MODEL.value not in cards:
        MODEL.put(next(iter(cards)))
    left, right = st.columns([3, 8], gap="large")
    with left:
        card = cards[
            one_of(MODEL, st.selectbox, "Picture model", cards, lambda name: cards[name].title)
        ]
        picture = pick_known(PICTURE)
        SEED.slider("Order of patches")
        source = "From scikit-image's own data" if picture.is_sample else "Your own"
        st.image(_thumbnail(picture), width=SHOWN, caption=source)
        if shown := truth(picture.name, engine.loaded_card(card.id).result().labels):
            st.caption(plain(f"{shown[0].upper()}{shown[1:]}."))
    with right:
        _classes(card, picture)
        found = progress.outcome(positions.picture_test(card.id, picture, SEED.value), card.id)
        if found is not None:
            equivariance.verdict(card, found)
            if len(found.dropped.layers):
                equivariance.by_layer(found, key="picture-residual")


def _thumbnail(picture: Picture) -> bytes:
    """As a JPEG of the width that is shown: Streamlit would make one in every run."""
    return engine.derived(("thumbnail", picture.digest, SHOWN), lambda: _jpeg(picture), len)


def _jpeg(picture: Picture) -> bytes:
    whole, file = picture.convert("RGB"), io.BytesIO()
    height = round(whole.height * SHOWN / whole.width)
    whole.resize((SHOWN, height), Image.Resampling.LANCZOS).save(file, "JPEG", quality=92)
    return file.getvalue()


def _classes(card: ModelCard, picture: Picture) -> None:
    """Top classes as trained, with shuffled and without positions."""
    changes: dict[str, tuple[PositionChange, ...]] = {"as trained": ()}
    table = positions.table(card.id)
    if table.exception() is None and (grid := table.result().grid) is not None:
        order = order_of(grid.n_patches, SEED.value)
        changes["positions shuffled"] = (PermutePositions(order),)
    changes["positions dropped"] = (DropPositions(),)
    for column, (name, change) in zip(st.columns(len(changes)), changes.items(), strict=True):
        with column:
            st.markdown(f"**{name.capitalize()}**")
            predicted = progress.outcome(vision.classes(card.id, picture, change), card.id)
            if predicted is None:
                return  # it said why; the other columns would say the same
            _bars(card, name, predicted)


def _bars(card: ModelCard, name: str, predicted: tuple[ClassPrediction, ...]) -> None:
    candidates(
        tuple(Candidate(given.label, given.probability) for given in predicted),
        label=f"Classes, {name}, {plain(card.title)}",
        key=HERE.key(f"classes.{name}"),
        clickable=False,
    )
