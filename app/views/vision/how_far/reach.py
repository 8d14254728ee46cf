"""Distances, or entropies, of all heads as dots: by layer, or each layer's heads sorted."""

from typing import Final

import numpy as np
import streamlit as st

from app.style.number_format import three
from app.ui import charts
from app.ui.charts import Curve
from app.ui.controls import controls
from app.views.vision.how_far.measures import HERE, PICTURES, Measured
from app.views.vision.inputs import Chosen
from core.explain.attention.attention_distance import LayerReach

QUANTITY = HERE.choice("quantity", {"distance": "Distance", "entropy": "Entropy"})
ORDER = HERE.choice("order", {"layer": "by layer", "sorted": "heads sorted"})
PARAMS: Final = (QUANTITY, ORDER)
TITLES: Final = {"distance": "mean attention distance (pixels)", "entropy": "entropy (bits)"}
UNITS: Final = {"distance": "px", "entropy": "bits"}
MOST_SORTED: Final = 12  # curves in one chart; of more layers, evenly chosen ones


def render(measured: Measured) -> None:
    """The choices above the chart."""
    with controls():
        QUANTITY.segmented("What", quiet=True)
        ORDER.segmented("Order", quiet=True)
        PICTURES.segmented("Pictures", quiet=True)
    quantity = QUANTITY.value
    by_layer = ORDER.value == "layer"
    curves = _by_layer(measured, quantity) if by_layer else _sorted(measured, quantity)
    x_title = "layer" if by_layer else "head, sorted within its layer"
    chart = charts.chart(
        curves, x_title=x_title, y_title=TITLES[quantity], y_range="from zero", height=400
    )
    key = HERE.key(f"chart.{quantity}.{ORDER.value}")
    charts.show(chart, key=key, name=f"attention-{quantity}", caption=measured.caption)
    if quantity == "distance":
        st.caption("Rows are renormalised over the patches.")


def values_of(reach: LayerReach, quantity: str) -> tuple[np.ndarray, float]:
    """A layer's heads, and what uniform attention would have."""
    if quantity == "distance":
        return reach.distances, reach.uniform_distance
    return reach.entropies, reach.uniform_entropy


def _by_layer(measured: Measured, quantity: str) -> list[Curve]:
    """One dot a head; the layers' means; the baseline."""
    along = np.array([reach.layer for reach in measured.reach], dtype=float)
    rows = [values_of(reach, quantity) for reach in measured.reach]
    layers = along.repeat([len(heads) for heads, _ in rows])
    dots = np.concatenate([heads for heads, _ in rows]).astype(float)
    notes = tuple(
        _note(reach.layer, head, float(value), uniform, quantity)
        for reach, (heads, uniform) in zip(measured.reach, rows, strict=True)
        for head, value in enumerate(heads)
    )
    means = np.array([float(heads.mean()) for heads, _ in rows])
    return [
        Curve("one head", layers, dots, notes, lines=False),
        Curve("mean of the heads", along, means, markers=False),
        _baseline(along, np.array([uniform for _, uniform in rows])),
    ]


def _sorted(measured: Measured, quantity: str) -> list[Curve]:
    """One curve a layer: its heads from the nearest to the farthest."""
    count = min(MOST_SORTED, len(measured.reach))
    chosen: list[int] = np.linspace(0, len(measured.reach) - 1, count).round().astype(int).tolist()
    curves: list[Curve] = []
    for reach in (measured.reach[index] for index in chosen):
        heads, uniform = values_of(reach, quantity)
        order = np.argsort(heads)
        notes = tuple(
            _note(reach.layer, int(head), float(heads[head]), uniform, quantity) for head in order
        )
        x = np.arange(1, len(heads) + 1, dtype=float)
        curves.append(Curve(f"layer {reach.layer}", x, heads[order].astype(float), notes))
    baselines = [values_of(reach, quantity)[1] for reach in measured.reach]
    if not np.allclose(baselines, baselines[0]):  # Swin: every stage has its own, told on hover
        return curves
    ends = np.array([1.0, float(max(len(curve.x) for curve in curves))])
    return [*curves, _baseline(ends, np.full(2, baselines[0]))]


def _baseline(x: np.ndarray, y: np.ndarray) -> Curve:
    return Curve("uniform attention", x, y.astype(float), markers=False, dashed=True)


def _note(layer: int, head: int, value: float, uniform: float, quantity: str) -> str:
    unit = UNITS[quantity]
    times = f"{value / uniform:.2f} × uniform" if uniform > 0 else "uniform is 0"
    return f"layer {layer}, head {head}: {three(value)} {unit} · {times}"


def answered(chosen: Chosen, measured: Measured) -> str:
    """The two ends, in Markdown."""
    quantity = QUANTITY.value
    ends = [
        (float(value), reach.layer, head)
        for reach in measured.reach
        for head, value in enumerate(values_of(reach, quantity)[0])
    ]
    (low, low_layer, low_head), (high, high_layer, high_head) = min(ends), max(ends)
    unit = UNITS[quantity]
    height, width = chosen.seen.patch_pixels
    size = f"{height} px" if height == width else f"{height} × {width} px"
    what, far = ("look", " far") if quantity == "distance" else ("spread over", "")
    return (
        f"Heads {what} **{three(low)}** {unit} (layer {low_layer}, head {low_head}) to "
        f"**{three(high)}** {unit} (layer {high_layer}, head {high_head}){far}; a patch is {size} "
        "wide."
    )
