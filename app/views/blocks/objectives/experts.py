"""Mixture of experts: a toy router on a real model's hidden states."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.components.token_row import Chip
from app.services import engine
from app.style.number_format import three
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, matrix_table
from app.ui.input_line import input_line, quoted
from app.ui.logit_lens import layer_name
from app.ui.options import one_of
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.blocks.objectives import shared
from core.blocks.mixture_of_experts import Routing, route, toy_router
from core.trace import Trace

HERE: Final = Scope("blocks", "objectives.experts")
EXPERTS: Final = HERE.whole("experts", 2, 16, 8)
TOP: Final = HERE.whole("top_k", 1, 4, 2)
LAYER: Final = HERE.whole("layer", 0, 6, 3)  # a state, see app.ui.logit_lens
ROUTER: Final = HERE.whole("seed", 0, 999, 0)
CAPACITY: Final = HERE.real("capacity", 0.0, 3.0, 0.0)


def render() -> Figure:
    """A sentence; the figure."""
    with input_line(quoted(shared.SENTENCE.value)):
        text = shared.SENTENCE.line("Sentence", max_chars=300)
    return partial(_figure, text)


def _figure(text: str) -> Export | None:
    """Gates of every token, the load of every expert."""
    with controls():
        EXPERTS.slider("Experts", width=170)
        TOP.slider("Top k", width=130)
        one_of(
            LAYER,
            st.select_slider,
            "After",
            range(LAYER.low, LAYER.high + 1),
            layer_name,
            numbers=lambda state: state - 1,
            width=170,
        )
        CAPACITY.slider("Capacity (0: none)", step=0.25, width=200)
        ROUTER.number_input("Seed", width=130)
    trace = progress.outcome(engine.request_trace(shared.GENERATOR, text)[1], shared.GENERATOR)
    if trace is None:
        return None
    states = trace.hidden_states()[LAYER.value]
    k = min(TOP.value, EXPERTS.value)
    router = toy_router(states.shape[1], EXPERTS.value, seed=ROUTER.value)
    found = route(states, router, k=k, capacity_factor=CAPACITY.value or None)
    caption = (
        f"toy router (seed {ROUTER.value}) of {EXPERTS.value} experts, top {k}, on bert-mini's "
        f"states, {layer_name(LAYER.value)} · {text}"
    )
    busiest = int(found.load.argmax())
    answer(
        f"Each token runs {k} of {EXPERTS.value} experts; E{busiest} gets "
        f"**{found.load[busiest]}** of {len(trace.tokens)} tokens, the balance N · Σ f·P is "
        f"**{three(found.balance)}** (1: even, {EXPERTS.value}: all to one)."
    )
    left, right = st.columns([7, 5], gap="large")
    with left:
        gates = _gates(found, trace.tokens, caption)
    with right:
        _load(found, caption)
    _tokens(found, trace)
    st.info(
        "A **toy**: the hidden states are bert-mini's real ones, the router is random numbers and "
        "was never trained. A trained router spreads its load because a loss asks it to."
    )
    st.markdown(
        f"Each token runs {three(100 * k / EXPERTS.value)} % of the experts’ weights. "
        f"{found.n_dropped} choices found their expert full and are skipped."
    )
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
        key=HERE.key("gates"),
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
    charts.show(chart, key=HERE.key("load"), name="load", caption=caption)


def _tokens(found: Routing, trace: Trace) -> None:
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
            token_id=None if trace.encoding is None else int(trace.encoding.ids[i]),
        )
        for i, token in enumerate(trace.tokens)
    )
    shared.row("experts", chips, "Where each token goes")


VIEW: Final = View(
    "experts",
    "Mixture of experts",
    (shared.SENTENCE, EXPERTS, TOP, LAYER, CAPACITY, ROUTER),
    render,
)
