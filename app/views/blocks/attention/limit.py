"""Self-attention on its own output, again and again: where do the points end?"""

from typing import Final

import numpy as np
import streamlit as st

from app.components.drift import Drift, drift, drift_frame
from app.services import blocks
from app.style.number_format import three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.iterated_attention import ARRANGEMENTS, SAME, STEPS, Run

HERE: Final = Scope("blocks", "attention.limit")
START: Final = HERE.choice("start", ARRANGEMENTS)
POINTS: Final = HERE.whole("points", 3, 120, 40)
TEMPERATURE: Final = HERE.real("temperature", 0.02, 4.0, 0.5)
SEED: Final = HERE.whole("seed", 0, 9999, 0)
STEP: Final = HERE.whole("step", 0, STEPS, 0)
BEGIN: Final = (SEED.at(0), STEP.at(0))
PRESETS: Final = {
    "groups, then a long wait": (START.at("scattered"), POINTS.at(40), TEMPERATURE.at(0.5), *BEGIN),
    "collapse": (START.at("scattered"), POINTS.at(40), TEMPERATURE.at(2.0), *BEGIN),
    "cold: four groups stay": (START.at("scattered"), POINTS.at(40), TEMPERATURE.at(0.1), *BEGIN),
    "a ring that gives way": (START.at("ring"), POINTS.at(36), TEMPERATURE.at(0.1), *BEGIN),
    "three on a line": (START.at("line"), POINTS.at(3), TEMPERATURE.at(1.0), *BEGIN),
}
EXTENT = 2.1  # of the picture, a little more than any start


def render() -> Export:
    """Choose a start and λ; watch; measure how fast the points meet."""
    with controls():
        START.segmented("Start")
        POINTS.slider("points", width=160)
        TEMPERATURE.slider("temperature λ", step=0.02, width=240)
        SEED.number_input("seed", width=130)
        preset_chips(PRESETS, key=HERE.key("preset"))
    run = blocks.run(START.value, POINTS.value, TEMPERATURE.value, seed=SEED.value)
    caption = (
        f"V ← softmax(V Vᵀ / {TEMPERATURE.value:g}) V, {POINTS.value} points, "
        f"start “{START.value}”, seed {SEED.value}"
    )
    figure = Drift(
        points=run.points,
        diameters=run.diameters,
        moves=run.moves,
        clusters=run.clusters,
        extent=EXTENT,
        same=float(SAME * run.diameters[0]),
        label="Points under iterated self-attention",
        caption=caption,
    )
    answer(_answered(run))
    left, right = st.columns([5, 6], gap="large")
    with left:
        STEP.put(drift(figure, step=STEP.value, key=HERE.key("drift")))
    with right:
        _convergence(run, caption)
        _says(run)
    return Export(
        name="iterated-attention",
        caption=caption,
        table=lambda: (
            ("step", "diameter", "largest_move", "groups"),
            zip(
                range(len(run.points)),
                run.diameters.tolist(),
                run.moves.tolist(),
                run.clusters,
                strict=True,
            ),
        ),
        more={
            "points": lambda: (
                ("step", "point", "x", "y"),
                (
                    (step, point + 1, float(x), float(y))
                    for step, places in enumerate(run.points)
                    for point, (x, y) in enumerate(places)
                ),
            )
        },
        arrays=lambda: {"points": run.points, "diameters": run.diameters, "moves": run.moves},
        offline=("drift", lambda: drift_frame(figure)),
    )


def _convergence(run: Run, caption: str) -> None:
    steps = np.arange(len(run.diameters), dtype=np.float64)
    named = {"diameter of all points": run.diameters, "largest move in the step": run.moves}
    curves = [
        charts.Curve(
            name,
            steps,
            np.where(values > 0, values, np.nan),  # zero has no place on a logarithmic axis
            tuple(
                f"step {step:.0f}: {name} {value:.3g}"
                for step, value in zip(steps, values, strict=True)
            ),
            markers=False,
        )
        for name, values in named.items()
    ]
    chart = charts.chart(curves, x_title="step", y_title="length (log)", log_y=True, height=380)
    charts.mark_x(chart, STEP.value, "")
    charts.show(chart, key=HERE.key("convergence"), name="convergence", caption=caption)


def _met(run: Run) -> int | None:
    """The step at which all points have met."""
    return next((step for step, groups in enumerate(run.clusters) if groups == 1), None)


def _answered(run: Run) -> str:
    """When they met, or how many groups are left, in Markdown."""
    met = _met(run)
    if met is not None:
        return (
            f"All {run.points.shape[1]} points have met after **{met}** steps: they are nearer "
            f"than {SAME:g} of the first diameter."
        )
    return (
        f"After {len(run.points) - 1} steps **{run.clusters[-1]}** groups are left, and the last "
        f"step moved no point by more than **{three(float(run.moves[-1]))}**."
    )


def _says(run: Run) -> None:
    if _met(run) is not None:
        st.markdown("Rank one: every token has become the same.")
        return
    st.markdown(
        "The groups attract each other still: every weight is "
        "positive, so each step shrinks the hull. But a point looks at another group with only "
        r"$e^{(V_i\cdot V_j-|V_i|^2)/\lambda}$ times the weight that it gives its own place, and "
        "waiting takes as much longer."
    )


VIEW: Final = View(
    "limit", "Again and again", (START, POINTS, TEMPERATURE, SEED, STEP), figure=render
)
