"""The learning rate over a training: warm-up, then one of three ways down."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st

from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.lr_schedules import (
    RECIPES,
    ScheduleName,
    Steps,
    learning_rates,
    transformer_peak,
)

POINTS: Final = 600  # of each curve
Curves = dict[ScheduleName, Steps]
LONGEST_RUN: Final = 10_000_000  # steps
LONGEST_WARMUP: Final = 50_000

NAMES: Final[dict[ScheduleName, str]] = {
    "inverse-square-root": "inverse square root",
    "linear": "linear",
    "cosine": "cosine",
}
HERE: Final = Scope("blocks", "optimisation.schedule")
SCHEDULE: Final = HERE.choice("schedule", NAMES)
D_MODEL: Final = HERE.whole("d_model", 1, 65_536, 512)
WARMUP: Final = HERE.whole("warmup", 1, LONGEST_WARMUP, 4000)
TOTAL: Final = HERE.whole("steps", 2, LONGEST_RUN, 100_000)
PEAK: Final = HERE.real("peak", 1e-8, 10.0, 7e-4)
PRESETS: Final = {
    recipe.title: (
        SCHEDULE.at(recipe.schedule),
        D_MODEL.at(recipe.d_model),
        WARMUP.at(recipe.warmup),
        TOTAL.at(recipe.total),
        PEAK.at(float(f"{recipe.peak:.3g}")),
    )
    for recipe in RECIPES.values()
}


def render() -> Export | None:
    """Presets, controls, the three curves."""
    _controls()
    name, warmup, total = SCHEDULE.value, WARMUP.value, TOTAL.value
    if warmup >= total:
        st.warning(
            f"The warm-up has {warmup:,} steps and the whole training {total:,}. Make the "
            "training longer or the warm-up shorter.",
            icon=":material/info:",
        )
        return None
    peak = transformer_peak(D_MODEL.value, warmup) if name == "inverse-square-root" else PEAK.value
    steps = _steps(warmup, total)
    curves: Curves = {
        way: learning_rates(way, steps, peak=peak, warmup=warmup, total=total) for way in NAMES
    }
    caption = f"{NAMES[name]}, warm-up {warmup:,} of {total:,} steps, peak {three(peak)}" + (
        f", d_model {D_MODEL.value}" if name == "inverse-square-root" else ""
    )
    last = float(curves[name][-1])
    answer(
        f"The learning rate rises to **{three(peak)}** at step {warmup:,} and is **{three(last)}** "
        f"at step {total:,}, **{three(100 * last / peak)} %** of its peak."
    )
    _figure(name, steps, curves, caption)
    _numbers(name, warmup, total, peak)
    _recipe_notes()
    return Export("learning-rate", caption, lambda: _table(steps, curves))


def _controls() -> None:
    with controls():
        first, second, third, fourth = st.columns([3.2, 3, 1.6, 1.6], vertical_alignment="bottom")
        with first:
            SCHEDULE.segmented("After the warm-up")
        with second:
            WARMUP.slider("Warm-up (steps)")
        with third:
            TOTAL.number_input("Training (steps)", step=1000)
        with fourth:
            if SCHEDULE.value == "inverse-square-root":
                D_MODEL.number_input("d_model", step=64)
            else:
                PEAK.number_input("Peak", step=1e-5, format="%.3g")
        preset_chips(PRESETS, key=HERE.key("preset"))


def _steps(warmup: int, total: int) -> Steps:
    """Dense in the warm-up and after it; the peak's own step is among them."""
    rising = np.linspace(1, warmup, POINTS // 3)
    falling = np.linspace(warmup, total, POINTS)[1:]
    return np.unique(np.round(np.concatenate((rising, falling))))


def _figure(name: ScheduleName, steps: Steps, curves: Curves, caption: str) -> None:
    warmup, peak = WARMUP.value, float(curves[name].max())
    figure = charts.chart(
        [
            charts.Curve(
                NAMES[way],
                steps,
                rates,
                markers=False,
                dashed=way != name,
            )
            for way, rates in curves.items()
        ],
        x_title="training step",
        y_title="learning rate",
        height=400,
    )
    charts.mark_x(figure, warmup, f"peak {three(peak)} at step {warmup:,}")
    figure.y_axis(range=[0, 1.12 * peak], exponentformat="none")
    charts.show(figure, key=HERE.key("rates"), name="learning-rate", caption=caption)


def _numbers(name: ScheduleName, warmup: int, total: int, peak: float) -> None:
    ends = np.array([1.0, (warmup + total) // 2, float(total)])
    rates = learning_rates(name, ends, peak=peak, warmup=warmup, total=total)
    columns = st.columns(4)
    columns[0].metric("Peak", three(peak))
    columns[1].metric("First step", three(rates[0]))
    columns[2].metric(f"Half-way down, step {ends[1]:,.0f}", three(rates[1]))
    columns[3].metric("Last step", three(rates[2]))


def _recipe_notes() -> None:
    with st.expander("What the papers set, and what they leave open"):
        data_table(
            [
                {
                    "model": recipe.title,
                    "schedule": NAMES[recipe.schedule],
                    "warm-up": recipe.warmup,
                    "steps": recipe.total,
                    "peak": three(recipe.peak),
                    "β₂": recipe.beta2,
                    "ε": f"{recipe.epsilon:.0e}",
                    "weight decay": recipe.decay,
                }
                for recipe in RECIPES.values()
            ],
        )
        for recipe in RECIPES.values():
            st.caption(f"**{recipe.title}.** {recipe.paper}. {plain(recipe.note)}")


def _table(steps: Steps, curves: Curves) -> tuple[list[str], Iterator[tuple[float, ...]]]:
    return ["step", *curves], zip(steps, *curves.values(), strict=True)


VIEW: Final = View(
    "schedule", "Learning rate", (SCHEDULE, D_MODEL, WARMUP, TOTAL, PEAK), figure=render
)
