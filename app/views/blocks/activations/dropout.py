"""GELU as expected dropout, simulated coin by coin."""

from typing import Final

import numpy as np
import streamlit as st

from app.ui import charts, params
from app.ui.export_bar import Export
from app.views.blocks.state import PAGE, get, key
from core.blocks.activations import gelu, normal_cdf
from core.blocks.expected_dropout import Simulation, dropped_with_cdf, simulate

TOSSES: Final = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000, 1_000_000)


def _parse(given: str) -> int | None:
    return next((n for n in TOSSES if str(n) == given), None)


N_TOSSES: Final = params.Param("tosses", 100, _parse)
SEED: Final = params.number("coin", 0, 9999, 0)
PARAMS: Final = (N_TOSSES, SEED)
X: Final = np.linspace(-4, 4, 81)


def render() -> Export | None:
    """Toss, average, compare with GELU and with the slip."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.select_slider(
            "coin tosses at every x", TOSSES, format_func=lambda n: f"{n:,}", key=key(N_TOSSES),
            width=420,
        )  # fmt: skip
        st.number_input("seed", 0, 9999, step=1, key=key(SEED), width=130)
    run = simulate(X, tosses=get(N_TOSSES), seed=get(SEED))
    caption = f"{get(N_TOSSES):,} tosses at each of {len(X)} inputs, seed {get(SEED)}"
    left, right = st.columns(2, gap="medium")
    with left:
        _means(run, caption)
    with right:
        _kept(run, caption)
    _numbers(run)
    _about()
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
    charts.show(chart, key=f"{PAGE}.means", name="expected-dropout", caption=caption)


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
    charts.show(chart, key=f"{PAGE}.kept", name="kept", caption=caption)


def _numbers(run: Simulation) -> None:
    st.markdown(
        f"Largest distance from GELU: **{run.distance.max():.2g}**. "
        f"{run.share_within(2):.0%} of the points lie within two standard errors (about 95 % "
        "should, once tosses are many). Ten times the tosses make the error $\\sqrt{10}$ times "
        "smaller."
    )


def _about() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"m\sim\mathrm{Bernoulli}(\Phi(x))\quad\Rightarrow\quad\mathbb E[m\,x]=x\,\Phi(x)")
        st.markdown(
            "[Hendrycks & Gimpel 2016](https://arxiv.org/abs/1606.08415), section 2: a neuron's "
            "input is kept with the probability that it exceeds a standard normal variable. "
            "Dropout decides by chance whatever the input is; ReLU decides by the input's sign; "
            "GELU is the mean of a mixture of both."
        )
    with right:
        st.markdown(
            "**A slip to know:** some lecture slides say that the input is *dropped* with "
            "probability Φ(x). That would zero the large inputs and keep the negative ones, the "
            "dashed curve. The paper *keeps* with Φ(x)."
        )
        st.markdown(
            "**Caution:** a network with GELU tosses no coins: it computes the expectation, the "
            "same for every input each time."
        )
