"""Rotary, ALiBi, T5, Swin and two-dimensional sines: side by side, then on the reader's text."""

from dataclasses import replace

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.ui import params
from app.ui.export_bar import Export
from app.views.positions import on_text, state
from app.views.positions.words import about_relative, number
from core import positions

LEAD = (
    "Later models tell distances, not places: by turning queries and keys, by numbers added to the "
    "scores, or along two axes. The same tokens, five ways."
)
LARGEST = 128
TALL = 230  # px: the five stand in one row
LARGEST_WINDOW = 8

N = state.positions_size("rn", 32, LARGEST)
D_HEAD = state.width_size("rd", 32, LARGEST)
N_HEADS = params.number("rheads", 1, 32, 8)
SLOPE = params.number("rhead", 0, 31, 1)
WINDOW = params.number("window", 1, LARGEST_WINDOW, 7)
PARAMS = (N, D_HEAD, N_HEADS, SLOPE, WINDOW, *on_text.PARAMS)


def render() -> Export | None:
    """Five tables, then one of them on a real head."""
    _sliders()
    for column, draw in zip(
        st.columns(5, gap="small"), (_rotary, _alibi, _t5, _swin, _grid), strict=True
    ):
        with column:
            draw()
    export = on_text.render()
    about_relative()
    return export


def _sliders() -> None:
    columns = st.columns(5, gap="medium")
    with columns[0]:
        state.slider("Positions", N, 2, LARGEST)
    with columns[1]:
        state.slider("d_head, d_model", D_HEAD, 4, LARGEST, 4)
    with columns[2]:
        heads = st.slider("Heads with ALiBi", 1, 32, key=state.key(N_HEADS))
    state.put(SLOPE, min(state.get(SLOPE), heads - 1))
    with columns[3]:
        if heads > 1:
            st.slider("… the head shown", 0, heads - 1, key=state.key(SLOPE))
    with columns[4]:
        st.slider("Swin's window, M", 1, LARGEST_WINDOW, key=state.key(WINDOW))


def _rotary() -> None:
    n, d = state.get(N), state.get(D_HEAD)
    angles = positions.rotary_angles(n, d)
    omega = positions.frequencies(d)
    _draw(
        "rotary",
        HeatMap(
            values=positions.wrapped(angles),
            rows=tuple(map(str, range(n))),
            columns=tuple(map(str, range(d // 2))),
            label="Rotary positions: the angle of each pair at each position",
            caption=f"Rotary angles, modulo 2π, {n} positions, d_head {d}",
            title="Rotary: angle, mod 2π",
            row_title="position",
            column_title="pair",
            limit=np.pi,
            column_notes=tuple(f"{number(float(w))} rad a position" for w in omega),
        ),
        "q and k are turned by pos · ω. Nothing is added anywhere.",
    )


def _alibi() -> None:
    n, heads, head = state.get(N), state.get(N_HEADS), state.get(SLOPE)
    bias = positions.alibi(n, heads)[head]
    slope = float(positions.alibi_slopes(heads)[head])
    _draw(
        "alibi",
        HeatMap(
            values=np.where(np.isfinite(bias), bias, 0).astype(np.float32),
            rows=tuple(map(str, range(n))),
            columns=tuple(map(str, range(n))),
            label=f"ALiBi: bias of head {head} of {heads}, the future masked",
            caption=f"ALiBi −m (i − j), m = {slope:.4g}, head {head} of {heads}",
            title=f"ALiBi: −m (i − j), m = {number(slope)}",
            row_title="query i",
            column_title="key j",
            hidden=~np.isfinite(bias),
        ),
        f"Slopes {_slopes(heads)}; causal: later keys are masked, not biased.",
    )


def _slopes(heads: int) -> str:
    slopes = [number(float(slope)) for slope in positions.alibi_slopes(heads)]
    return ", ".join(slopes if len(slopes) < 5 else [*slopes[:3], "…", slopes[-1]])


def _t5() -> None:
    n = state.get(N)
    buckets = positions.t5_buckets(n, n)
    _draw(
        "t5",
        HeatMap(
            values=buckets.astype(np.float32),
            rows=tuple(map(str, range(n))),
            columns=tuple(map(str, range(n))),
            label="T5: the bucket of each distance, both directions",
            caption="T5's relative buckets: 32, up to distance 128, bidirectional",
            title="T5: bucket of i − j",
            row_title="query",
            column_title="key",
            scale="sequential",
            limit=31,
        ),
        "32 buckets: near distances have one each, far ones share. One learned number a bucket and "
        "head.",
    )


def _swin() -> None:
    window = state.get(WINDOW)
    index = positions.swin_relative_index(window)
    places = tuple(f"{row},{column}" for row in range(window) for column in range(window))
    offsets = (2 * window - 1) ** 2
    _draw(
        "swin",
        HeatMap(
            values=index.astype(np.float32),
            rows=places,
            columns=places,
            label=f"Swin: which of {offsets} learned numbers each pair of patches takes",
            caption=f"Swin's relative position index, window {window} × {window}",
            title="Swin: index into the bias",
            row_title="query (row, column)",
            column_title="key (row, column)",
            scale="sequential",
            hue="cross",
            limit=float(max(offsets - 1, 1)),
        ),
        f"{window * window} patches a window, ({2 * window - 1})² = {offsets} offsets: as many "
        "learned numbers a head.",
    )


def _grid() -> None:
    side = max(2, round(state.get(N) ** 0.5))
    d = state.get(D_HEAD) - state.get(D_HEAD) % 4
    table = positions.sine_2d(side, side, d)
    _draw(
        "grid",
        HeatMap(
            values=table.reshape(side * side, d),
            rows=tuple(f"{row},{column}" for row in range(side) for column in range(side)),
            columns=tuple(map(str, range(d))),
            label=f"Two-dimensional sines over {side} by {side} places",
            caption=f"2-D sinusoidal positions (DETR), {side} × {side}, d_model {d}",
            title="2-D sine (DETR)",
            row_title="row, column",
            column_title="dimension",
            limit=1.0,
        ),
        f"Left half: sines of the row; right half: of the column. "
        f"{side} × {side} places, scaled to 2π.",
    )


def _draw(name: str, figure: HeatMap, words: str) -> None:
    heat_map(replace(figure, height=TALL), key=f"{state.PAGE}.{name}")
    st.caption(words)
