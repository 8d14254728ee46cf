"""Adam on a small known problem: what β₂ remembers, and what the first steps would be."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import log10
from typing import Final

import numpy as np
import streamlit as st

from app.style.number_format import three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.adam import (
    CURVATURES,
    SPIKE_AT,
    AdamRun,
    Settings,
    first_step,
    half_life,
    memory,
    noise,
    run,
)
from core.blocks.lr_schedules import RECIPES

STEPS: Final = 1000
FLOOR: Final = 0.003  # of the gradients' axis: noise crosses zero, a logarithm can't
STEEP: Final = 1  # the weight that the charts follow: the steep direction
COMPARED: Final = (0.98, 0.999)

HERE: Final = Scope("blocks", "optimisation.adam")
BETA1: Final = HERE.real("beta1", 0.0, 0.9999, 0.9)
BETA2: Final = HERE.real("beta2", 0.5, 0.9999, 0.98)
EPSILON: Final = HERE.real("epsilon", 0.0, 1.0, 1e-9)
RATE: Final = HERE.real("rate", 1e-6, 1.0, 0.01)
DECAY: Final = HERE.real("decay", 0.0, 1.0, 0.0)
SPIKE: Final = HERE.real("outlier", 0.0, 100.0, 20.0)
SEED: Final = HERE.whole("seed", 0, 999_999, 0)
PRESETS: Final = {
    recipe.title: (
        BETA2.at(recipe.beta2), EPSILON.at(recipe.epsilon), DECAY.at(recipe.decay), BETA1.at(0.9),
    )
    for name, recipe in RECIPES.items()
    if name != "transformer-big"
}  # fmt: skip


def render() -> Export:
    """Presets, controls, memory on the left, steps on the right."""
    _controls()
    settings = Settings(RATE.value, BETA1.value, BETA2.value, EPSILON.value, DECAY.value)
    spike, seed = SPIKE.value, SEED.value
    runs = {
        beta: _run(replace(settings, beta2=beta), spike, seed)
        for beta in dict.fromkeys((settings.beta2, *COMPARED))
    }
    raw = _run(replace(settings, correct=False), spike, seed)
    caption = (
        f"Adam, learning rate {three(settings.learning_rate)}, β₁ {settings.beta1:g}, "
        f"β₂ {settings.beta2:g}, ε {settings.epsilon:g}, decay {settings.decay:g}; a gradient "
        f"{SPIKE.value:g} too large at step {_spike_step():,}, seed {SEED.value}"
    )
    taken = runs[settings.beta2].effective_steps(settings.learning_rate)[0, STEEP]
    uncorrected = raw.effective_steps(settings.learning_rate)[0, STEEP]
    answer(
        f"With β₂ = {settings.beta2:g} a gradient counts half after "
        f"**{three(half_life(settings.beta2))}** steps; the first step is **{three(taken)}** "
        f"learning rates long, without bias correction **{three(uncorrected)}**."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _memory(settings.beta2, runs, caption)
    with right:
        _steps(settings, runs[settings.beta2], raw, caption)
    _numbers(settings, runs[settings.beta2])
    _losses(settings.beta2, runs, caption)
    return Export("adam", caption, lambda: _table(runs[settings.beta2], raw))


@lru_cache(maxsize=64)
def _run(settings: Settings, spike: float, seed: int) -> AdamRun:
    return run(settings, noise(STEPS, spike=spike, seed=seed))


def _controls() -> None:
    with controls():
        BETA2.slider("β₂", step=0.0001, format="%.4f", width=260)
        SPIKE.slider("An outlier's gradient", step=1.0, width=200)
        RATE.number_input("Learning rate", step=0.001, format="%.3g", width=140)
        with st.popover("β₁, ε, decay, seed", icon=":material/tune:", width="content"):
            BETA1.slider("β₁", step=0.01)
            EPSILON.number_input("ε", step=1e-9, format="%.1e")
            DECAY.slider("Weight decay", step=0.01)
            SEED.number_input("Seed of the noise")
        preset_chips(PRESETS, key=HERE.key("preset"))


def _memory(chosen: float, runs: dict[float, AdamRun], caption: str) -> None:
    steps = np.arange(1.0, STEPS + 1)
    gradients = runs[chosen].gradient_sizes[:, STEEP]
    curves = [charts.Curve("this step's |g|", steps, gradients, markers=False, hue="value")]
    for beta, found in runs.items():
        size = found.remembered_sizes[:, STEEP]
        curves.append(
            charts.Curve(f"√v̂, β₂ = {beta:g}", steps, size, markers=False, dashed=beta != chosen)
        )
    figure = charts.chart(
        curves,
        x_title="step",
        y_title="size of the gradient (log)",
        log_y=True,
        y_range=(log10(FLOOR), log10(2 * gradients.max())),
        height=360,
    )
    if SPIKE.value:
        charts.mark_x(figure, _spike_step(), "the outlier")
    charts.show(figure, key=HERE.key("adam-memory"), name="adam-memory", caption=caption)


def _steps(settings: Settings, corrected: AdamRun, raw: AdamRun, caption: str) -> None:
    steps = np.arange(1.0, STEPS + 1)
    curves: list[charts.Curve] = []
    for name, found in (("with bias correction", corrected), ("without", raw)):
        lengths = found.effective_steps(settings.learning_rate)[:, STEEP]
        curves.append(charts.Curve(name, steps, lengths, markers=False, dashed=found is raw))
    figure = charts.chart(
        curves,
        x_title="step (log)",
        y_title="effective step, in learning rates",
        log_x=True,
        height=360,
    )
    charts.mark_y(figure, 1.0, "one learning rate")
    charts.show(figure, key=HERE.key("adam-steps"), name="adam-steps", caption=caption)


def _numbers(settings: Settings, found: AdamRun) -> None:
    columns = st.columns(4)
    columns[0].metric(
        "Memory 1 / (1 − β₂)",
        f"{three(memory(settings.beta2))} steps",
        help="A gradient counts half after "
        f"{three(half_life(settings.beta2))} steps: ln ½ / ln β₂.",
    )
    columns[1].metric("Gradients count half after", f"{three(half_life(settings.beta2))} steps")
    columns[2].metric(
        "First step, uncorrected",
        f"{three(first_step(replace(settings, correct=False)))} × lr",
        help="(1 − β₁) / √(1 − β₂). With the correction it is one learning rate.",
    )
    columns[3].metric(f"f(w) after {STEPS:,} steps", three(float(found.losses[-1])))


def _losses(chosen: float, runs: dict[float, AdamRun], caption: str) -> None:
    steps = np.arange(1.0, STEPS + 1)
    figure = charts.chart(
        [
            charts.Curve(
                f"β₂ = {beta:g}", steps, found.losses, markers=False, dashed=beta != chosen
            )
            for beta, found in runs.items()
        ],
        x_title="step",
        y_title="f(w), minimum 0 (log)",
        log_y=True,
        height=260,
    )
    st.markdown(
        "**Is it getting anywhere?** f(w) = ½ (" + " + ".join(
            f"{curvature:g} · w{'₁₂'[place]}²" for place, curvature in enumerate(CURVATURES)
        ) + "), from w = (1, 1), with noisy gradients. The charts above follow w₂."
    )  # fmt: skip
    charts.show(figure, key=HERE.key("adam-loss"), name="adam-loss", caption=caption)


def _spike_step() -> int:
    return int(SPIKE_AT * STEPS) + 1


def _table(found: AdamRun, raw: AdamRun) -> tuple[list[str], Iterator[tuple[float, ...]]]:
    header = ["step", "w2", "gradient", "m_hat", "v_hat", "step_taken", "step_uncorrected", "loss"]
    columns = (found.weights, found.gradients, found.mean, found.square, found.steps, raw.steps)
    rows = zip(
        range(1, STEPS + 1), *(column[:, STEEP] for column in columns), found.losses, strict=True
    )
    return header, rows


VIEW: Final = View("adam", "Adam", (BETA1, BETA2, EPSILON, RATE, DECAY, SPIKE, SEED), figure=render)
