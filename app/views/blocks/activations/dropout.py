"""GELU as expected dropout, simulated coin by coin."""

from typing import Final

import numpy as np
import streamlit as st

from app.style.number_format import three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.activations import gelu, normal_cdf
from core.blocks.expected_dropout import Simulation, dropped_with_cdf, simulate

HERE: Final = Scope("blocks", "activations.dropout")
N_TOSSES: Final = HERE.step(
    "tosses", (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000, 1_000_000), 100
)
SEED: Final = HERE.whole("seed", 0, 9999, 0)
X: Final = np.linspace(-4, 4, 81)


def render() -> Export:
    """Toss, average, compare with GELU and with the slip."""
    with controls():
        N_TOSSES.select_slider("coin tosses at every x", "{:,}".format, width=420)
        SEED.number_input("seed", width=130)
    run = simulate(X, tosses=N_TOSSES.value, seed=SEED.value)
    caption = f"{N_TOSSES.value:,} tosses at each of {len(X)} inputs, seed {SEED.value}"
    answer(
        f"With {N_TOSSES.value:,} tosses the mean is at most **{three(run.distance.max())}** from "
        f"GELU; **{three(100 * run.share_within(2))} %** of the points lie within two "
        "standard errors."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _means(run, caption)
    with right:
        _kept(run, caption)
    _how_many()
    return Export(
        name="expected-dropout",
        caption=caption,
        table=lambda: (
            ("x", "kept", "mean", "standard_error", "gelu"),
            np.stack([X, run.kept, run.mean, run.error, gelu(X)], axis=1).tolist(),
        ),
    )


def _means(run: Simulation, caption: str) -> None:
    simulated = charts.Curve(
        "mean of m · x",
        X,
        run.mean,
        tuple(
            f"x = {x:.2g}: mean {mean:.3g} ± {error:.2g}, GELU {exact:.3g}"
            for x, mean, error, exact in zip(X, run.mean, run.error, gelu(X), strict=True)
        ),
        lines=False,
    )
    exact = charts.Curve("GELU: x Φ(x)", X, gelu(X), markers=False)
    slip = charts.Curve(
        "dropped with Φ(x), the slip: x (1 − Φ(x))",
        X,
        dropped_with_cdf(X),
        markers=False,
        dashed=True,
    )
    chart = charts.chart([simulated, exact, slip], x_title="x", y_title="on average", height=420)
    charts.show(chart, key=HERE.key("means"), name="expected-dropout", caption=caption)


def _kept(run: Simulation, caption: str) -> None:
    curves = [
        charts.Curve(
            "share of tosses that kept x",
            X,
            run.kept,
            tuple(f"x = {x:.2g}: kept {kept:.3g}" for x, kept in zip(X, run.kept, strict=True)),
            lines=False,
        ),
        charts.Curve("Φ(x)", X, normal_cdf(X), markers=False),
    ]
    chart = charts.chart(curves, x_title="x", y_title="probability of keeping", height=420)
    charts.show(chart, key=HERE.key("kept"), name="kept", caption=caption)


def _how_many() -> None:
    st.markdown(
        "About 95 % of the points should lie within two standard errors, once tosses are many. "
        "Ten times the tosses make the error $\\sqrt{10}$ times smaller."
    )


VIEW: Final = View("dropout", "GELU as expected dropout", (N_TOSSES, SEED), figure=render)
