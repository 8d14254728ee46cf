"""Mixture of experts: a toy router on a real model's hidden states."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.components.token_row import Chip
from app.services import engine
from app.style.number_format import three
from app.ui import charts, params, progress
from app.ui.export_bar import Export, matrix_table
from app.views.blocks.objectives import shared
from app.views.blocks.objectives.words import about_experts
from app.views.blocks.state import PAGE, get, key
from core.blocks.mixture_of_experts import Routing, route, toy_router

EXPERTS: Final = params.number("nexp", 2, 16, 8)
TOP: Final = params.number("topk", 1, 4, 2)
LAYER: Final = params.number("xlayer", 0, 6, 3)
ROUTER: Final = params.number("xseed", 0, 999, 0)
CAPACITY: Final = params.number("xcap", 0.0, 3.0, 0.0)
PARAMS: Final = (EXPERTS, TOP, LAYER, ROUTER, CAPACITY)


def render() -> Export | None:
    """Gates of every token, the load of every expert."""
    text = st.text_input("Sentence", key=key(shared.SENTENCE), max_chars=300)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider("Experts", 2, 16, key=key(EXPERTS), width=170)
        st.slider("Top k", 1, 4, key=key(TOP), width=130)
        st.slider("States after layer", 0, 6, key=key(LAYER), width=170)
        st.slider("Capacity factor (0: none)", 0.0, 3.0, step=0.25, key=key(CAPACITY), width=200)
        st.number_input("Router's seed", 0, 999, key=key(ROUTER), width=130)
    trace = progress.outcome(engine.request_trace(shared.GENERATOR, text)[1], shared.GENERATOR)
    if trace is None:
        return None
    states = trace.hidden_states()[get(LAYER)]
    k = min(get(TOP), get(EXPERTS))
    router = toy_router(states.shape[1], get(EXPERTS), seed=get(ROUTER))
    found = route(states, router, k=k, capacity_factor=get(CAPACITY) or None)
    st.info(
        "A **toy**: the hidden states are bert-mini's real ones, the router is random numbers and "
        "was never trained. A trained router spreads its load because a loss asks it to."
    )
    caption = (
        f"toy router (seed {get(ROUTER)}) of {get(EXPERTS)} experts, top {k}, on bert-mini's "
        f"states after layer {get(LAYER)} · {text}"
    )
    left, right = st.columns([7, 5], gap="large")
    with left:
        gates = _gates(found, trace.tokens, caption)
    with right:
        _load(found, caption)
    _tokens(found, trace.tokens)
    st.markdown(
        f"Balance N · Σ f·P = **{three(found.balance)}** (1: even, {get(EXPERTS)}: all to one). "
        f"Each token runs {k} of {get(EXPERTS)} experts, {three(100 * k / get(EXPERTS))} % of "
        f"their weights. {found.n_dropped} choices found their expert full and are skipped."
    )
    about_experts()
    return Export(
        name="experts",
        caption=caption,
        table=lambda: matrix_table(gates, trace.tokens, names=("token", "expert", "gate")),
        arrays=lambda: {"gates": gates, "probabilities": found.probabilities, "load": found.load},
    )


def _gates(found: Routing, tokens: tuple[str, ...], caption: str) -> np.ndarray:
    gates = found.gate_matrix
    heat_map(
        HeatMap(
            gates, tokens, tuple(f"E{i}" for i in range(gates.shape[1])), label="Gates",
            title="Gates: how each token is shared out", caption=caption, scale="sequential",
            limit=1.0, row_title="token", column_title="expert", height=430.0,
            cell=(44.0, 30.0),
        ),
        key=f"{PAGE}.experts",
    )  # fmt: skip
    return gates


def _load(found: Routing, caption: str) -> None:
    number = np.arange(len(found.load), dtype=np.float64)
    chart = charts.chart(
        [charts.Curve("tokens", number, found.load.astype(np.float64), lines=False)],
        x_title="expert",
        y_title="tokens sent there",
        height=340,
    )
    charts.mark_y(chart, found.even_load, "even")
    charts.show(chart, key=f"{PAGE}.experts-load", name="load", caption=caption)


def _tokens(found: Routing, tokens: tuple[str, ...]) -> None:
    chips = tuple(
        Chip(
            token,
            ", ".join(
                f"E{expert}" if taken else f"E{expert} full"
                for expert, taken in zip(found.chosen[i], found.accepted[i], strict=True)
            ),
            tip=tuple(
                f"E{expert}: gate {three(float(gate))}"
                for expert, gate in zip(found.chosen[i], found.gates[i], strict=True)
            ),
        )
        for i, token in enumerate(tokens)
    )
    shared.row("experts", chips, "Where each token goes")
