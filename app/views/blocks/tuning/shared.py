"""What LoRA and 8-bit weights share: the tuned model, a picture, top classes, measured accuracy."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates
from app.content.pictures import truth
from app.services import blocks, engine, models, vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.ui import charts, progress
from app.ui.params import Choice, Scope
from app.ui.picture_input import pick_known
from core.catalog import ModelCard
from core.outputs.fine_tuning import WeightUpdate

HERE: Final = Scope("blocks", "tuning")
PICTURE: Final[Choice[str]] = HERE.choice("picture", vision.SAMPLES)
BLOCK: Final = HERE.whole("block", 0, 99, 0)
MATRICES: Final = {
    "attn.qkv": "W^Q, W^K, W^V",
    "attn.proj": "W^O",
    "mlp.fc1": "feed-forward, in",
    "mlp.fc2": "feed-forward, out",
}
MATRIX: Final = HERE.choice("matrix", MATRICES)
PARAMS: Final = (PICTURE, BLOCK, MATRIX)
TOP: Final = 5


def tuned() -> tuple[ModelCard, Mapping[str, WeightUpdate]] | None:
    """The model that was fine-tuned here and its updates; None after saying what is missing."""
    card = models.fine_tuned()
    if card is None:
        st.info(
            "This needs a model that was fine-tuned here and the one it began with: train "
            "mae-mini, then vit-mini (README, “Training”)."
        )
        return None
    loaded = progress.outcome(engine.loaded_card(card.id), card.id)  # it knows the classes
    updates = progress.outcome(blocks.weight_updates(card.id), card.id)
    return None if updates is None or loaded is None else (loaded, updates)


def choose_matrix(updates: Mapping[str, WeightUpdate]) -> WeightUpdate:
    """One matrix of one block."""
    n_blocks = 1 + max(int(name.split(".")[1]) for name in updates)
    BLOCK.slider("Block", 0, n_blocks - 1, width=150)
    MATRIX.segmented("Matrix")
    return updates[f"blocks.{BLOCK.value}.{MATRIX.value}.weight"]


def choose_picture() -> Picture:
    """One of the sample pictures, or the reader's own."""
    return pick_known(PICTURE)


def answers(card: ModelCard, picture: Picture, columns: Mapping[str, np.ndarray]) -> None:
    """The top classes under each setting, side by side; `columns` are probabilities of classes."""
    if shown := truth(picture.name, card.labels):
        st.caption(plain(f"{shown[0].upper()}{shown[1:]}."))
    for place, (name, probabilities) in zip(st.columns(len(columns)), columns.items(), strict=True):
        order: list[int] = np.argsort(-probabilities)[:TOP].tolist()
        with place:
            st.markdown(f"**{name}**")
            candidates(
                tuple(
                    Candidate(card.labels[i], float(probabilities[i]), lit=rank == 0)
                    for rank, i in enumerate(order)
                ),
                label=f"Classes, {name}",
                key=HERE.key(f"answers.{name}"),
                clickable=False,
            )


def accuracies(
    kind: Literal["low_rank", "int8"],
    x_title: str,
    *,
    chosen: int,
    named: Callable[[int], str] | None = None,
) -> None:
    """The measured accuracy over ranks or blocks, with its date; says so if not measured.

    `named`: sizes stand side by side under these names, in the order measured.
    """
    measured = blocks.cheap_accuracies()
    if measured is None:
        st.caption("Accuracy over these settings is not measured for the model on board.")
        return
    points = measured.int8 if kind == "int8" else measured.low_rank
    chart = charts.chart(
        [
            charts.Curve(
                "top-1 accuracy",
                tuple(map(named, points)) if named else np.array([*points], float),
                100 * np.array([*points.values()]),
            )
        ],
        x_title=x_title,
        y_title="accuracy, %",
        height=300,
    )
    charts.mark_y(chart, 100 * measured.full, "full fine-tuning", left=True)
    if named:
        chart.x_axis(type="category")  # else “64” is read as a number
    charts.mark_x(chart, named(chosen) if named else chosen, "chosen")
    caption = (
        f"{measured.pictures} held-out photographs, {measured.model}, {measured.date}: "
        f"{measured.command}"
    )
    charts.show(chart, key=HERE.key("accuracy"), name=f"{kind}-accuracy", caption=caption)
    st.caption(plain(caption))
