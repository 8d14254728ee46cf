"""The sinusoidal table in both layouts, its dimensions as waves, and its wavelengths."""

import math
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import Cell, HeatMap, heat_map, selected_cell
from app.style.number_format import three
from app.style.worked import Step, follow
from app.ui import charts
from app.ui.answer import answer
from app.ui.charts import Curve
from app.ui.controls import controls
from app.ui.export_bar import Export, matrix_table, offline_map
from app.ui.options import some_of
from app.ui.page import View
from app.ui.param_values import write_numbers
from app.ui.params import Scope
from app.views.positions import state
from app.views.positions.words import unique_positions
from core import positions
from core.positions import Layout

FINENESS = 4  # points of a wave a position


def _parse_dims(given: str) -> tuple[int, ...] | None:
    try:
        dims = tuple(dict.fromkeys(int(part) for part in given.split(",")[:8]))
    except ValueError:
        return None
    return dims if dims and min(dims) >= 0 else None


HERE: Final = Scope("positions", "sinusoidal")
N: Final = state.positions_size(HERE, "n", 64)
D: Final = state.width_size(HERE, "d_model", 128)
BASE: Final = state.base_choice(HERE)
DIMS: Final = HERE.custom("dims", (0, 1, 16, 17, 48), _parse_dims, write_numbers)
CELL: Final = HERE.cell("cell")


def render() -> Export:
    """Sliders, both tables, one cell in full, waves, wavelengths."""
    with controls():
        left, middle, right = st.columns(3, gap="medium")
        with left:
            n = state.slider("Positions", N, 1, state.LARGEST_SIDE)
        with middle:
            d = state.slider("Dimensions, d_model", D, 2, state.LARGEST_SIDE, 2)
        with right:
            base = state.base_slider(BASE)
    figure = _figure(n, d, base)
    return Export(
        "sinusoidal-positions",
        figure.caption,
        lambda: matrix_table(figure.values, names=("position", "dimension", "value")),
        lambda: {
            "interleaved": figure.values,
            "concatenated": positions.sinusoidal(n, d, base, Layout.CONCATENATED),
            "wavelengths": positions.wavelengths(d, base),
        },
        offline=offline_map(figure),
    )


def _figure(n: int, d: int, base: float) -> HeatMap:
    cell = CELL.value
    if cell is not None and not (cell[0] < n and cell[1] < d):
        cell = None
    order = _order(d)
    cell = selected_cell(HERE.key("interleaved"), cell, (n, d))
    there = cell and (cell[0], order.index(cell[1]))
    elsewhere = selected_cell(HERE.key("concatenated"), there, (n, d))
    if elsewhere != there:
        cell = elsewhere and (elsewhere[0], order[elsewhere[1]])
    CELL.put(cell)
    answer(_answered(n, d, base, cell))
    paper = _map(n, d, base, Layout.INTERLEAVED)
    left, right = st.columns(2, gap="medium")
    with left:
        heat_map(paper, key=HERE.key("interleaved"), selected=cell)
    with right:
        heat_map(
            _map(n, d, base, Layout.CONCATENATED),
            key=HERE.key("concatenated"),
            selected=elsewhere,
        )
    _in_full(cell, d, base)
    _waves(n, d, base, cell)
    _wavelengths(n, d, base)
    return paper


def _answered(n: int, d: int, base: float, cell: Cell | None) -> str:
    """One number of the table, or how long its waves are, in Markdown."""
    lengths = positions.wavelengths(d, base)
    if cell is not None:
        pos, dim = cell
        value = three(float(positions.wave(np.array([float(pos)]), dim, d, base)[0]))
        return (
            f"Position {pos} has **{value}** in dimension {dim}, whose wave is "
            f"**{three(float(lengths[dim // 2]))}** positions long."
        )
    longer = int((lengths > n).sum())
    return (
        f"Its {len(lengths)} waves are **{three(float(lengths[0]))}** to "
        f"**{three(float(lengths[-1]))}** positions long; **{longer}** of them do not come round "
        f"once in the {n} positions shown."
    )


def _order(d: int) -> list[int]:
    """The paper's dimension in each column of the concatenated table."""
    return [*range(0, d, 2), *range(1, d, 2)]


def _map(n: int, d: int, base: float, layout: Layout) -> HeatMap:
    lengths = positions.wavelengths(d, base)
    paper = layout == Layout.INTERLEAVED
    dims = list(range(d)) if paper else _order(d)
    return HeatMap(
        values=positions.sinusoidal(n, d, base, layout),
        rows=tuple(map(str, range(n))),
        columns=tuple(map(str, range(d))),
        label=f"Sinusoidal positions, {layout}: {n} positions by {d} dimensions",
        caption=f"Sinusoidal positions, {layout}: {n} positions, d_model {d}, base {base:,.0f}",
        title="sin and cos interleaved, as in the paper" if paper else "all sin, then all cos",
        row_title="position",
        column_title="dimension",
        limit=1.0,
        column_notes=tuple(
            f"{_formula('pos', dim, d, base)} · wavelength {three(lengths[dim // 2])}"
            for dim in dims
        ),
        height=330,
    )


def _formula(pos: object, dim: int, d: int, base: float) -> str:
    return f"{'cos' if dim % 2 else 'sin'}({pos} / {base:.0f}^({dim - dim % 2}/{d}))"


def _in_full(cell: Cell | None, d: int, base: float) -> None:
    """One number of the table, worked out."""
    if cell is None:
        st.caption(
            "Hover reads a number and its formula; a click keeps it and adds its wave below. "
            "The same numbers on both sides: only the order of the dimensions differs."
        )
        return
    pos, dim = cell
    angle = pos * positions.frequencies(d, base)[dim // 2]
    value = float(positions.wave(np.array([float(pos)]), dim, d, base)[0])
    name = "cos" if dim % 2 else "sin"
    length = float(positions.wavelengths(d, base)[dim // 2])
    said = follow(
        {"angle": float(angle), "value": value, "length": length, "turns": pos / length},
        [
            Step("value", ("angle",), math.cos if dim % 2 else math.sin),
            Step("turns", ("length",), lambda length: pos / length),
        ],
    )
    st.caption(
        f"PE({pos}, {dim}) = {_formula(pos, dim, d, base)} = {name}({said['angle']}) = "
        f"**{said['value']}** · wavelength {said['length']} positions, so {said['turns']} "
        "turns so far"
    )


def _waves(n: int, d: int, base: float, cell: Cell | None) -> None:
    """Single dimensions along the positions."""
    st.subheader("Single dimensions are waves")
    DIMS.put(tuple(dim for dim in DIMS.value if dim < d))
    some_of(
        DIMS,
        st.multiselect,
        "Dimensions",
        range(d),
        max_selections=8,
        label_visibility="collapsed",
        placeholder="Choose dimensions",
    )
    dims = list(DIMS.value)
    if cell is not None and cell[1] not in dims:
        dims.append(cell[1])
    if not dims:
        st.caption("No dimension is chosen: choose one above, or click the table.")
        return
    places = np.linspace(0, max(n - 1, 1), FINENESS * max(n - 1, 1) + 1)
    curves = [
        Curve(
            f"dimension {dim} ({'cos' if dim % 2 else 'sin'})",
            places,
            positions.wave(places, dim, d, base),
            markers=False,
            dashed=bool(dim % 2),
        )
        for dim in dims
    ]
    chart = charts.chart(curves, x_title="position", y_title="PE", height=280)
    charts.show(chart, key=HERE.key("waves"), name="position-waves")


def _wavelengths(n: int, d: int, base: float) -> None:
    """From 2π to 2π · base^((d−2)/d), and what that does not mean."""
    lengths = positions.wavelengths(d, base)
    st.subheader("How long are the waves?")
    left, right = st.columns([5, 6], gap="large")
    with left:
        pairs = np.arange(len(lengths), dtype=float)
        curve = Curve("wavelength", 2 * pairs, lengths, markers=len(pairs) < 40)
        chart = charts.chart(
            [curve], x_title="dimension 2i", y_title="positions", log_y=True, height=300
        )
        charts.mark_y(chart, float(n), f"{n} positions shown")
        charts.show(chart, key=HERE.key("wavelengths"), name="wavelengths")
    with right:
        unique_positions(d, base)


VIEW: Final = View("sinusoidal", "Sinusoidal", (N, D, BASE, DIMS, CELL), figure=render)
