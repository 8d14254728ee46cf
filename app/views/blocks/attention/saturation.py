"""Why √d_k: the variance of dot products, and what it does to a softmax and its gradient."""

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import blocks
from app.style.number_format import three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.examples import preset_chips
from app.ui.export_bar import Export, matrix_table
from app.ui.page import View
from app.ui.params import Scope
from app.views.blocks.attention.state import N_KEYS, SEED
from core.blocks.softmax_saturation import DotProducts, Saturation

HERE: Final = Scope("blocks", "attention.root")
WIDTH: Final = HERE.step("d_k", blocks.WIDTHS, 64)
PRESETS: Final = {
    "a narrow head: d_k = 4": (WIDTH.at(4), N_KEYS.at(16)),
    "BERT's heads: d_k = 64": (WIDTH.at(64), N_KEYS.at(16)),
    "one wide head: d_k = 768": (WIDTH.at(768), N_KEYS.at(16)),
    "among 64 keys": (WIDTH.at(64), N_KEYS.at(64)),
}
WAYS = ("q·k", "q·k/√d_k")
SHOWN_KEYS = 16  # of one query's row, printed


def render() -> Export:
    """Draw random vectors, measure, show the curves and one row."""
    with controls():
        WIDTH.select_slider("width d_k", width=360)
        N_KEYS.slider("keys", width=200)
        SEED.number_input("seed", width=130)
        preset_chips(PRESETS, key=HERE.key("preset"))
    drawn = blocks.dot_products(N_KEYS.value, SEED.value)
    raw, scaled = blocks.saturations(N_KEYS.value, SEED.value)
    caption = (
        f"{blocks.QUERIES} random queries, {N_KEYS.value} keys each, components N(0, 1), "
        f"seed {SEED.value}"
    )
    answer(_answered(drawn, raw, scaled))
    _curves(drawn, raw, scaled, caption)
    _numbers(drawn, raw, scaled)
    _one_row(drawn, caption)
    return Export(
        name="why-sqrt-dk",
        caption=caption,
        table=lambda: (
            ("d_k", "scaled", "variance", "largest_weight", "gradient_norm"),
            (
                (width, name, one.variance, one.largest_weight, one.gradient_norm)
                for name, measured in (("no", raw), ("yes", scaled))
                for width, one in zip(drawn.widths, measured, strict=True)
            ),
        ),
        more={"one row": lambda: matrix_table(drawn.first_weights(WIDTH.value), WAYS, _keys())},
        arrays=lambda: {"d_k": np.array(drawn.widths), "dots": drawn.dots},
    )


def _answered(drawn: DotProducts, raw: list[Saturation], scaled: list[Saturation]) -> str:
    """What the root does at the chosen width, in Markdown."""
    place = drawn.widths.index(WIDTH.value)
    with_root, without = scaled[place], raw[place]
    return (
        f"At d_k = {WIDTH.value} the largest of {N_KEYS.value} weights is on average "
        f"**{three(without.largest_weight)}** without the root and "
        f"**{three(with_root.largest_weight)}** with it; the gradient’s norm is "
        f"**{three(without.gradient_norm)}** and **{three(with_root.gradient_norm)}**."
    )


def _curves(
    drawn: DotProducts, raw: list[Saturation], scaled: list[Saturation], caption: str
) -> None:
    widths = np.array(drawn.widths, dtype=np.float64)
    drawn_fields: dict[str, tuple[str, Callable[[Saturation], float]]] = {
        "variance": ("variance of the scores", lambda one: one.variance),
        "largest_weight": ("largest weight of a row, mean", lambda one: one.largest_weight),
        "gradient_norm": ("‖∂ weights / ∂ scores‖, mean", lambda one: one.gradient_norm),
    }
    for place, (field, (title, of)) in zip(st.columns(3), drawn_fields.items(), strict=True):
        curves = [
            charts.Curve(
                name,
                widths,
                np.array([of(one) for one in measured]),
                tuple(
                    f"d_k = {w}, {name}: {of(one):.3g}"
                    for w, one in zip(drawn.widths, measured, strict=True)
                ),
            )
            for name, measured in (("q · k", raw), ("q · k / √d_k", scaled))
        ]
        if field == "variance":
            curves.append(
                charts.Curve("d_k, in theory", widths, widths, markers=False, dashed=True)
            )
        chart = charts.chart(
            curves, x_title="d_k (log)", y_title=title, log_x=True, log_y=field == "variance",
            height=330,
        )  # fmt: skip
        charts.mark_x(chart, WIDTH.value, "")
        with place:
            charts.show(chart, key=HERE.key(field), name=field, caption=caption)


def _numbers(drawn: DotProducts, raw: list[Saturation], scaled: list[Saturation]) -> None:
    place = drawn.widths.index(WIDTH.value)
    data_table(
        {
            f"d_k = {WIDTH.value}": ["q · k", "q · k / √d_k"],
            "variance": [raw[place].variance, scaled[place].variance],
            "in theory": [float(WIDTH.value), 1.0],
            "largest weight": [raw[place].largest_weight, scaled[place].largest_weight],
            "× uniform": [
                one[place].largest_weight * N_KEYS.value for one in (raw, scaled)
            ],
            "gradient norm": [raw[place].gradient_norm, scaled[place].gradient_norm],
        },
        column_config={
            name: st.column_config.NumberColumn(format="%.3g")
            for name in ("variance", "in theory", "largest weight", "× uniform", "gradient norm")
        },
    )  # fmt: skip


def _one_row(drawn: DotProducts, caption: str) -> None:
    """The first query's weights, both ways."""
    both = drawn.first_weights(WIDTH.value)
    shown = both[:, :SHOWN_KEYS]
    heat_map(
        HeatMap(
            shown,
            WAYS,
            _keys()[:SHOWN_KEYS],
            label="One query's weights",
            title=f"The first query's weights over its keys, d_k = {WIDTH.value}",
            caption=caption,
            scale="sequential",
            limit=1.0,
            numbers=True,
        ),
        key=HERE.key("row"),
    )
    if both.shape[1] > SHOWN_KEYS:
        hidden = both[:, SHOWN_KEYS:].sum(axis=1)
        st.caption(
            f"{both.shape[1] - SHOWN_KEYS} further keys are not drawn; they hold "
            f"{hidden[0]:.3g} and {hidden[1]:.3g} of the two rows."
        )


def _keys() -> tuple[str, ...]:
    return tuple(f"k{number + 1}" for number in range(N_KEYS.value))


VIEW: Final = View("root", "Why √d_k", (WIDTH, N_KEYS, SEED), figure=render)
