"""Where the norm stands: four blocks drawn, and the gradient that reaches each layer."""

from typing import TYPE_CHECKING, Final

import numpy as np
import streamlit as st

from app.components.diagram import diagram
from app.services import blocks
from app.ui import charts, params
from app.ui.export_bar import Export
from app.views.blocks.norms.stacks import TITLES, stacks
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import PAGE, get, key
from core.blocks.norms import deep_norm_constants

if TYPE_CHECKING:
    from core.blocks.pre_post_norm import GradientDepth

DEEPEST: Final = 48  # layers; each takes its share of the 300 ms that a slider has
QUANTITIES: Final = {
    "feed_forward": "gradient of W₂",
    "attention": "gradient of Wᴼ",
    "states": "size of the states",
}
Y_TITLES: Final = {
    "feed_forward": "‖∂ loss / ∂ W₂‖ (log)",
    "attention": "‖∂ loss / ∂ Wᴼ‖ (log)",
    "states": "RMS of the layer's output (log)",
}

LAYERS: Final = params.number("depth", 2, DEEPEST, 24)
SEED: Final = params.number("nseed", 0, 9999, 0)
QUANTITY: Final = params.choice("grad", list(QUANTITIES))
PARAMS: Final = (LAYERS, SEED, QUANTITY)


def render() -> Export | None:
    """Choose a depth; build all four stacks, run each forward and back, compare."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider("layers", 2, DEEPEST, key=key(LAYERS), width=320)
        st.segmented_control(
            "Measured", list(QUANTITIES), format_func=QUANTITIES.__getitem__, key=key(QUANTITY),
            required=True,
        )  # fmt: skip
        st.number_input("seed", 0, 9999, step=1, key=key(SEED), width=130)
    preset_chips("depth", {f"{n} layers": {LAYERS: n} for n in (6, 12, 24, 48)})
    with st.spinner("Running four stacks forward and back …", show_time=True):
        runs = {name: blocks.gradient_depth(name, get(LAYERS), get(SEED)) for name in TITLES}
    caption = (
        f"untrained encoder stacks of {get(LAYERS)} layers, d_model 64, one batch, seed {get(SEED)}"
    )
    left, right = st.columns([5, 6], gap="medium")
    with left:
        diagram(stacks(caption), key=f"{PAGE}.stacks", clickable=False)
    with right:
        _curves(runs, caption)
    _numbers(runs)
    _about()
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
            f"{name}_{field}": getattr(run, field)
            for name, run in runs.items()
            for field in QUANTITIES
        },
    )


def _curves(runs: dict[str, "GradientDepth"], caption: str) -> None:
    layers = np.arange(1, get(LAYERS) + 1, dtype=np.float64)
    quantity = get(QUANTITY)
    curves = [
        charts.Curve(
            TITLES[name],
            layers,
            getattr(run, quantity),
            tuple(
                f"{TITLES[name]}, layer {layer:.0f}: {value:.3g}"
                for layer, value in zip(layers, getattr(run, quantity), strict=True)
            ),
        )
        for name, run in runs.items()
    ]
    chart = charts.chart(
        curves, x_title="layer (1: next to the input)", y_title=Y_TITLES[quantity], log_y=True,
        height=430,
    )  # fmt: skip
    charts.show(chart, key=f"{PAGE}.by-depth", name="gradient-by-depth", caption=caption)


def _numbers(runs: dict[str, "GradientDepth"]) -> None:
    quantity = get(QUANTITY)
    st.dataframe(
        {
            "norm": [TITLES[name] for name in runs],
            "loss": [run.loss for run in runs.values()],
            "first layer": [float(getattr(run, quantity)[0]) for run in runs.values()],
            "last layer": [float(getattr(run, quantity)[-1]) for run in runs.values()],
            "last ÷ first": [
                float(getattr(run, quantity)[-1] / getattr(run, quantity)[0])
                for run in runs.values()
            ],
            "states leave with RMS": [float(run.states[-1]) for run in runs.values()],
        },
        column_config={
            name: st.column_config.NumberColumn(format="%.3g")
            for name in (
                "loss", "first layer", "last layer", "last ÷ first", "states leave with RMS",
            )
        },
        hide_index=True,
    )  # fmt: skip


def _about() -> None:
    constants = deep_norm_constants(get(LAYERS))
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\begin{aligned}\text{post: }&\mathrm{Norm}(x+f(x))\\"
            r"\text{pre: }&x+f(\mathrm{Norm}(x))\\"
            r"\text{sandwich: }&x+\mathrm{Norm}(f(\mathrm{Norm}(x)))\\"
            r"\text{DeepNorm: }&\mathrm{Norm}(\alpha x+f(x))\end{aligned}"
        )
        st.markdown(
            "[Xiong et al. 2020](https://arxiv.org/abs/2002.04745): at the start of training, "
            "post-norm's gradients are large near the output whatever the depth, which is why it "
            "needs warm-up; pre-norm's states grow upwards, and its gradients shrink with them. "
            "Sandwich: [Ding et al. 2021](https://arxiv.org/abs/2105.13290). DeepNorm "
            "([Wang et al. 2022](https://arxiv.org/abs/2203.00555)) scales the residual: here "
            f"$\\alpha=(2N)^{{1/4}}={constants.alpha:.3g}$, "
            f"$\\beta=(8N)^{{-1/4}}={constants.beta:.3g}$."
        )
    with right:
        st.markdown(
            "**How it is measured.** Real stacks (4 heads, ReLU feed-forward of 256, Glorot's "
            "initial weights, no dropout), random inputs of 4 × 12 tokens, cross-entropy over 100 "
            "random classes, one backward pass in torch. All four start from the same random "
            "numbers. Pre- and sandwich-norm have one more norm before the output."
        )
        st.markdown(
            "**Caution:** this is the first step only, and a small stack. It says who needs care "
            "at the start, not who ends best: post-norm often ends a little better where it "
            "trains at all."
        )
