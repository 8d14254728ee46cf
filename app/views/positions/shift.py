"""PE(pos + k) = M PE(pos): the same rotation for every position, and what follows from it."""

import math
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.style.number_format import three
from app.style.worked import Step, follow, total
from app.ui import charts
from app.ui.answer import answer
from app.ui.charts import Curve
from app.ui.controls import controls
from app.ui.export_bar import Export, matrix_table, offline_map
from app.ui.page import View
from app.ui.params import Scope
from app.views.positions import state
from core import positions
from core.positions import Layout

LARGEST_D = 128
LARGEST_K = 200
PRINTED = 16  # dimensions whose numbers fit into their cells

HERE: Final = Scope("positions", "shift")
K: Final = HERE.whole("k", -LARGEST_K, LARGEST_K, 5)
D: Final = state.width_size(HERE, "d_model", 16, LARGEST_D)
BASE: Final = state.base_choice(HERE)
ORDER: Final = HERE.choice("order", [layout.value for layout in Layout])
POS: Final = HERE.whole("pos", 0, LARGEST_K, 3)
PAIR: Final = HERE.whole("pair", 0, LARGEST_D // 2 - 1, 1)


def render() -> Export:
    """k and the width; the matrix, the proof in numbers, one pair on its circle, dot products."""
    with controls():
        columns = st.columns([4, 4, 4, 4], gap="medium", vertical_alignment="bottom")
        with columns[0]:
            k = K.slider("Shift, k")
        with columns[1]:
            d = state.slider("Dimensions, d_model", D, 2, LARGEST_D, 2)
        with columns[2]:
            base = state.base_slider(BASE)
        with columns[3]:
            layout = Layout(ORDER.segmented("Dimensions' order"))
    answer(_answered(k, positions.check_shift(k, d, base, layout, n_positions=LARGEST_K)))
    matrix = _map(k, d, base, layout)
    left, right = st.columns([6, 5], gap="large")
    with left:
        heat_map(matrix, key=HERE.key("shift"))
    with right:
        _proof(k, d, base, layout)
    _circle(k, d, base)
    _products(d, base)
    return Export(
        "shift-matrix",
        matrix.caption,
        lambda: matrix_table(matrix.values, names=("row", "column", "value")),
        lambda: {"M": matrix.values, "positions": positions.sinusoidal(LARGEST_K, d, base, layout)},
        offline=offline_map(matrix),
    )


def _answered(k: int, found: positions.ShiftCheck) -> str:
    return (
        f"One matrix moves every position by **{k}**: over {LARGEST_K} positions M PE(pos) misses "
        f"PE(pos + k) by **{three(found.error)}** at most, in float32."
    )


def _map(k: int, d: int, base: float, layout: Layout) -> HeatMap:
    lengths = positions.wavelengths(d, base)
    dims = range(d)
    pairs = [dim // 2 if layout == Layout.INTERLEAVED else dim % (d // 2) for dim in dims]
    return HeatMap(
        values=positions.shift_matrix(k, d, base, layout),
        rows=tuple(map(str, dims)),
        columns=tuple(map(str, dims)),
        label=f"The matrix M that shifts by {k}, {d} by {d}",
        caption=f"M with PE(pos + {k}) = M PE(pos), {layout}, d_model {d}, base {base:,.0f}",
        title=f"M for k = {k}",
        row_title="dimension of PE(pos + k)",
        column_title="dimension of PE(pos)",
        limit=1.0,
        numbers=d <= PRINTED,
        row_notes=tuple(
            f"pair {pair}: turned by {k} · 2π / {three(lengths[pair])} = "
            f"{three(k * 2 * np.pi / lengths[pair])} rad"
            for pair in pairs
        ),
        cell=(46, 34),
        height=470,
    )


def _proof(k: int, d: int, base: float, layout: Layout) -> None:
    """The equation at float precision, over many positions at once."""
    found = positions.check_shift(k, d, base, layout, n_positions=LARGEST_K)
    st.latex(r"PE_{pos+k}=M_k\,PE_{pos}\quad\text{for every } pos")
    st.markdown(
        f"Largest error over {LARGEST_K} positions, in float32: **{three(found.error)}**"
        f" (float32 knows {three(float(np.finfo(np.float32).eps))} near 1).  \n"
        f"M is orthogonal: the largest entry of MᵀM − I is **{three(found.off_orthogonal)}**.  \n"
        f"So lengths stay: every ‖PE‖ is √(d/2) = {three(found.length)} "
        f"(here {three(found.shortest)} to {three(found.longest)})."
    )
    st.latex(
        r"\begin{pmatrix}\sin\omega_i(pos+k)\\ \cos\omega_i(pos+k)\end{pmatrix}="
        r"\begin{pmatrix}\cos\omega_i k & \sin\omega_i k\\ -\sin\omega_i k & \cos\omega_i k"
        r"\end{pmatrix}\begin{pmatrix}\sin\omega_i\,pos\\ \cos\omega_i\,pos\end{pmatrix}"
    )
    st.caption(
        "Interleaved, M is block-diagonal: one 2 × 2 block a pair. Concatenated, the same numbers "
        "lie on four diagonals. $M_k$ has no pos in it, $M_a M_b = M_{a+b}$, and "
        "$M_{-k} = M_k^\\top$."
    )


def _circle(k: int, d: int, base: float) -> None:
    """One pair of dimensions as a hand that turns."""
    st.subheader("One pair on its circle")
    left, right, _ = st.columns([4, 5, 2], gap="large")
    with left:
        pair = PAIR.slider("Pair, i", 0, d // 2 - 1) if d > 2 else 0
        pos = POS.slider("From position, pos")
        omega = float(positions.frequencies(d, base)[pair])
        said = follow(
            {
                "omega": omega,
                "length": 2 * math.pi / omega,
                "from": pos * omega,
                "to": (pos + k) * omega,
                "turn": k * omega,
                "degrees": math.degrees(k * omega),
            },
            [
                Step("length", ("omega",), lambda omega: 2 * math.pi / omega),
                Step("from", ("omega",), lambda omega: pos * omega),
                Step("to", ("from", "turn"), total),
                Step("turn", ("omega",), lambda omega: k * omega),
                Step("degrees", ("turn",), math.degrees),
            ],
        )
        st.caption(
            f"ω = {said['omega']} rad a position, wavelength {said['length']}. The hand "
            f"goes from {said['from']} to {said['to']} rad: it turns by "
            f"k ω = {said['turn']} rad ({said['degrees']}°)."
        )
    with right:
        whole = np.linspace(0, 2 * np.pi / omega, 181)
        path = np.linspace(pos, pos + k, 60)
        here, there = path[:1], path[-1:]
        curves = [
            Curve("circle", *_on_circle(whole, pair, d, base), markers=False, dashed=True),
            Curve(
                f"pair {pair} from pos to pos + k", *_on_circle(path, pair, d, base), markers=False
            ),
            Curve("PE(pos)", *_on_circle(here, pair, d, base), lines=False, hue="query"),
            Curve(
                f"PE(pos + {k})",
                *_on_circle(there, pair, d, base),
                lines=False,
                hue="key",
            ),
        ]
        chart = charts.chart(
            curves, x_title=f"cos, dimension {2 * pair + 1}", y_title=f"sin, dimension {2 * pair}"
        )
        chart.y_axis(scaleanchor="x", range=[-1.15, 1.15])
        chart.x_axis(range=[-1.15, 1.15])
        charts.show(chart, key=HERE.key("circle"), name="position-circle")


def _on_circle(places: np.ndarray, pair: int, d: int, base: float) -> tuple[np.ndarray, np.ndarray]:
    """A pair's cosine and sine: its place across and up."""
    return (
        positions.wave(places.astype(float), 2 * pair + 1, d, base),
        positions.wave(places.astype(float), 2 * pair, d, base),
    )


def _products(d: int, base: float) -> None:
    """PE(i) · PE(j) as a function of i − j, and as the matrix it comes from."""
    st.subheader("Dot products know only the distance")
    n = min(LARGEST_K, 96)
    products = positions.dot_products(n, d, base)
    left, right = st.columns([6, 5], gap="large")
    with left:
        offsets = np.arange(-(n - 1), n, dtype=float)
        dots = positions.dot_by_offset(offsets, d, base)
        curve = Curve("PE(i) · PE(j)", offsets, dots, markers=False)
        chart = charts.chart([curve], x_title="i − j", y_title="PE(i) · PE(j)")
        charts.show(chart, key=HERE.key("products"), name="dot-products-by-distance")
    with right:
        heat_map(
            HeatMap(
                values=products,
                rows=tuple(map(str, range(n))),
                columns=tuple(map(str, range(n))),
                label=f"Dot products of {n} positions with each other",
                caption=f"PE(i) · PE(j), d_model {d}, base {base:,.0f}",
                title="PE(i) · PE(j)",
                row_title="i",
                column_title="j",
                height=360,
            ),
            key=HERE.key("dots"),
        )
    spread = positions.spread_along_diagonals(products)
    st.caption(
        f"Along a diagonal the products differ by {three(spread)} at most: rounding. The curve is "
        f"Σ cos(ω_i (i − j)), {d // 2} at distance 0 and the same on both sides: the sign of the "
        "distance is in the vectors, not in their plain product."
    )


VIEW: Final = View("shift", "A shift is a rotation", (K, D, BASE, ORDER, POS, PAIR), figure=render)
