"""f(PX) = P f(X) without positions, measured in the reader's model, layer by layer."""

from typing import Final

import numpy as np
import streamlit as st

from app.services import models, positions, vision
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import charts, progress
from app.ui.charts import Curve
from app.ui.data_table import plain_table
from app.ui.params import Scope
from app.views.positions import state
from app.views.positions.words import VIT
from core.catalog import Family, ModelCard
from core.positions import Equivariance

FLOOR = 1e-9  # where a residual of zero is drawn on a logarithmic axis
ROUNDING = 1e-4  # of the largest value: far above float32's error here, far below an effect

HERE: Final = Scope("positions", "order")
ORDER_SEED: Final = HERE.whole("order_seed", 0, 99, 0)
ALL: Final = HERE.flag("every_model")
PARAMS: Final = (ORDER_SEED, ALL)
# Dosovitskiy et al. 2021, table 8: ViT-B/16, ImageNet 5-shot linear accuracy.
ABLATION = (
    ("none", "0.61382", "", ""),
    ("1-D: one vector a place, row by row", "0.64206", "0.63964", "0.64292"),
    ("2-D: half of the vector for the row, half for the column", "0.64001", "0.64046", "0.64022"),
    ("relative: distances, as extra attention", "0.64032", "", ""),
)


def render(card: ModelCard) -> None:
    """The residual of the chosen model, and of all on board if asked."""
    st.subheader("Without positions, order is invisible: f(PX) = P f(X)")
    left, right = st.columns([4, 7], gap="large")
    found = progress.outcome(
        positions.permutation_test(card.id, state.TEXT.value, ORDER_SEED.value), card.id
    )
    with left:
        ORDER_SEED.slider("Another order P of the tokens")
        if found is not None:
            verdict(card, found)
    if found is not None:
        with right:
            by_layer(found, key="residual")
    ALL.toggle("Every model on board")
    if ALL.value:
        _every_model()


def verdict(card: ModelCard, found: Equivariance) -> None:
    """What was measured, and what follows."""
    holds = found.dropped.output < ROUNDING * found.scale
    moved = (
        "All patches are put into another order. "
        if card.family == Family.VISION
        else "All tokens are put into another order, special ones too, each with its segment. "
    )
    why = {
        Family.TEXT_DECODER: "Its causal mask tells tokens apart: who stands first is seen by all.",
        Family.VISION: "Its windows tell patches apart: only those in one window meet.",
    }.get(card.family, "Something else than positions tells its tokens apart.")
    st.markdown(
        f"{moved}Positions dropped, {found.outputs} of {plain(card.title)} differ from those of "
        "the first order, put into the new one, "
        f"by **{three(found.dropped.output)}** at most, of values up to {three(found.scale)}: "
        + ("**equal to rounding.**" if holds else f"**not equal.** {why}")
    )
    if found.masked is not None:
        broken = found.masked.output >= ROUNDING * found.scale
        st.markdown(
            f"With {found.mask} put on top, which this model never had, it "
            f"{'fails' if broken else 'still holds'}: **{three(found.masked.output)}**. "
            "A mask tells who is where without any positions."
        )
    st.markdown(
        f"With positions, the same order changes them by {three(found.kept.output)}: that is how "
        "the model knows."
    )


def by_layer(found: Equivariance, *, key: str) -> None:
    """The residual of every layer, on a logarithmic axis."""
    layers = np.arange(len(found.dropped.layers), dtype=float)
    curves = [
        Curve(name, layers, np.maximum(residuals, FLOOR).astype(float))
        for name, residuals in (
            ("positions dropped", found.dropped.layers),
            ("positions kept in place", found.kept.layers),
            (f"dropped, with {found.mask}", found.masked.layers if found.masked else ()),
        )
        if len(residuals)
    ]
    chart = charts.chart(
        curves,
        x_title="layer" if found.quantity == "queries" else "layer (0: the embeddings)",
        y_title="largest |f(PX) − P f(X)|",
        log_y=True,
        height=320,
    )
    charts.show(chart, key=HERE.key(f"{key}"), name="permutation-residual")
    if (found.dropped.layers < FLOOR).any():
        st.caption(f"A residual of exactly 0 is drawn at {three(FLOOR)}.")


def _every_model() -> None:
    """One row a model that needs no network."""
    rows: list[tuple[str, ...]] = []
    for card in positions.cards():
        if models.needs_network(card) or card.family == Family.TRANSLATOR:
            continue
        seed = ORDER_SEED.value
        asked = (
            positions.picture_test(card.id, vision.sample(vision.SAMPLES[0]), seed)
            if card.family == Family.VISION
            else positions.permutation_test(card.id, state.TEXT.value, seed)
        )
        found = progress.outcome(asked, card.id)
        if found is None:
            continue
        holds = found.dropped.output < ROUNDING * found.scale
        rows.append(
            (
                card.title,
                {Family.TEXT_DECODER: "causal", Family.VISION: "picture"}.get(
                    card.family, "bidirectional"
                ),
                three(found.dropped.output),
                three(found.kept.output),
                f"{three(found.masked.output)} ({found.mask})" if found.masked else "",
                three(found.scale),
                "holds" if holds else "fails",
            )
        )
    header = (
        *("model", "attention", "positions dropped", "positions kept", "dropped, and a mask"),
        *("values up to", "f(PX) = P f(X)"),
    )
    plain_table({name: [row[i] for row in rows] for i, name in enumerate(header)})
    shown = {row[1] for row in rows}
    if "causal" not in shown:
        st.caption(
            "No causal model is on board yet: a GPT would fail by its own mask, as the encoders "
            "above do with one put on. Choose a hub's GPT-2 as the model to see it."
        )
    if "picture" not in shown:
        st.caption("No picture model is on board yet.")


def ablation() -> None:
    """The paper's four variants of positions in ViT."""
    st.subheader("Trained without positions: ViT's own ablation")
    header = ("positions", "added at the input", "in every layer", "every layer, shared")
    plain_table({name: [row[i] for row in ABLATION] for i, name in enumerate(header)})
    st.caption(
        f"{VIT}, table 8: ViT-B/16, ImageNet 5-shot linear accuracy. Without positions a ViT sees "
        "a bag of patches and loses three points; which kind it gets hardly matters. These models "
        "were *trained* so. Dropping the positions of a trained model, as above, is something "
        "else: it learned to read them, and what an answer loses differs from picture to picture."
    )
