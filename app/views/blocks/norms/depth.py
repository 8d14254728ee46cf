"""Where the norm stands: four blocks drawn, and the gradient that reaches each layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import streamlit as st

from app.components.diagram import diagram
from app.services import blocks
from app.style.number_format import three
from app.ui import charts, projector
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from app.views.blocks.norms.stacks import TITLES, stacks
from core.blocks.norms import deep_norm_constants

if TYPE_CHECKING:
    from core.blocks.pre_post_norm import GradientDepth

DEEPEST: Final = 48  # layers; each takes its share of the 300 ms that a slider has
Y_TITLES: Final = {
    "feed_forward": "‖∂ loss / ∂ W₂‖ (log)",
    "attention": "‖∂ loss / ∂ Wᴼ‖ (log)",
    "states": "RMS of the layer's output (log)",
}

HERE: Final = Scope("blocks", "norms.depth")
LAYERS: Final = HERE.whole("layers", 2, DEEPEST, 24)
SEED: Final = HERE.whole("seed", 0, 9999, 0)
QUANTITY: Final = HERE.choice(
    "quantity",
    {
        "feed_forward": "gradient of W₂",
        "attention": "gradient of Wᴼ",
        "states": "size of the states",
    },
)
PRESETS: Final = {f"{n} layers": (LAYERS.at(n),) for n in (6, 12, 24, 48)}


def render() -> Export:
    """Choose a depth; build all four stacks, run each forward and back, compare."""
    with controls():
        LAYERS.slider("layers", width=320)
        QUANTITY.segmented("Measured")
        SEED.number_input("seed", width=130)
        preset_chips(PRESETS, key=HERE.key("preset"))
    with st.spinner("Running four stacks forward and back …", show_time=True):
        runs = {name: blocks.gradient_depth(name, LAYERS.value, SEED.value) for name in TITLES}
    caption = (
        f"untrained encoder stacks of {LAYERS.value} layers, d_model 64, one batch, "
        f"seed {SEED.value}"
    )
    answer(_answered(runs))
    # A projector's type needs wider boxes.
    left, right = st.columns([4, 3] if projector.is_on() else [5, 6], gap="medium")
    with left:
        diagram(stacks(caption), key=HERE.key("stacks"), clickable=False)
    with right:
        _curves(runs, caption)
    _numbers(runs)
    constants = deep_norm_constants(LAYERS.value)
    return Export(
        name="gradient-by-depth",
        caption=caption,
        table=lambda: (
            ("placement", "layer", "gradient_W2", "gradient_WO", "state_rms"),
            (
                (name, layer + 1, float(w2), float(wo), float(rms))
                for name, run in runs.items()
                for layer, (w2, wo, rms) in enumerate(
                    zip(run.feed_forward, run.attention, run.states, strict=True)
                )
            ),
        ),
        arrays=lambda: {
            f"{name}_{field}": values
            for name, run in runs.items()
            for field, values in _measured(run).items()
        },
        facts={"alpha": three(constants.alpha), "beta": three(constants.beta)},
    )


def _answered(runs: dict[str, GradientDepth]) -> str:
    """How the chosen quantity grows from the first layer to the last, in Markdown."""
    grown = ", ".join(
        f"**{three(float(values[-1] / values[0]))}** times with {TITLES[name]}"
        for name, values in _shown(runs).items()
    )
    return f"From layer 1 to {LAYERS.value} the {QUANTITY.names[QUANTITY.value]} grows {grown}."


def _curves(runs: dict[str, GradientDepth], caption: str) -> None:
    layers = np.arange(1, LAYERS.value + 1, dtype=np.float64)
    curves = [
        charts.Curve(
            TITLES[name],
            layers,
            values,
            tuple(
                f"{TITLES[name]}, layer {layer:.0f}: {value:.3g}"
                for layer, value in zip(layers, values, strict=True)
            ),
        )
        for name, values in _shown(runs).items()
    ]
    chart = charts.chart(
        curves,
        x_title="layer (1: next to the input)",
        y_title=Y_TITLES[QUANTITY.value],
        log_y=True,
        height=430,
    )
    charts.show(chart, key=HERE.key("by-depth"), name="gradient-by-depth", caption=caption)


def _numbers(runs: dict[str, GradientDepth]) -> None:
    shown = _shown(runs).values()
    data_table(
        {
            "norm": [TITLES[name] for name in runs],
            "loss": [run.loss for run in runs.values()],
            "first layer": [float(values[0]) for values in shown],
            "last layer": [float(values[-1]) for values in shown],
            "last ÷ first": [float(values[-1] / values[0]) for values in shown],
            "states leave with RMS": [float(run.states[-1]) for run in runs.values()],
        },
        column_config={
            name: st.column_config.NumberColumn(format="%.3g")
            for name in (
                "loss", "first layer", "last layer", "last ÷ first", "states leave with RMS",
            )
        },
    )  # fmt: skip


def _measured(run: GradientDepth) -> dict[str, np.ndarray]:
    """By the words of QUANTITY."""
    return {"feed_forward": run.feed_forward, "attention": run.attention, "states": run.states}


def _shown(runs: dict[str, GradientDepth]) -> dict[str, np.ndarray]:
    """The chosen quantity of every placement."""
    return {name: _measured(run)[QUANTITY.value] for name, run in runs.items()}


VIEW: Final = View("depth", "Where the norm stands", (LAYERS, QUANTITY, SEED), figure=render)
