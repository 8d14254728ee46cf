"""Rotary, ALiBi, T5, Swin and two-dimensional sines: side by side, then on the reader's text."""

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.views.positions import on_text, reading, state
from core import positions
from core.catalog import ModelCard

LARGEST = 128
LEAST_N, LEAST_D = 2, 4  # a distance; the grid's sines, which are of a row and of a column
TALL = 230  # px: the five stand in one row
LARGEST_WINDOW = 8

HERE: Final = on_text.HERE
N: Final = state.positions_size(HERE, "n", 32, LARGEST, least=LEAST_N)
D_HEAD: Final = state.width_size(HERE, "d_head", 32, LARGEST, least=LEAST_D)
N_HEADS: Final = HERE.whole("alibi_heads", 1, 32, 8)
SLOPE: Final = HERE.whole("alibi_head", 0, 31, 1)
WINDOW: Final = HERE.whole("window", 1, LARGEST_WINDOW, 7)


def render() -> Figure:
    """What a real head reads; the figures."""
    return partial(_figures, reading.ask(on_text.FAMILIES))


def _figures(card: ModelCard | None) -> Export | None:
    """Five tables, then one of them on a real head."""
    _sliders()
    answer(_answered(N.value - 1))
    for column, draw in zip(
        st.columns(5, gap="small"), (_rotary, _alibi, _t5, _swin, _grid), strict=True
    ):
        with column:
            draw()
    return None if card is None else on_text.render(card)


def _answered(far: int) -> str:
    """What three of them make of the first key and the last query, in Markdown."""
    angle = positions.wrapped(positions.rotary_angles(N.value, D_HEAD.value))[far, 0]
    bias = positions.alibi(N.value, N_HEADS.value)[SLOPE.value][far, 0]
    bucket = positions.t5_buckets(N.value, N.value)[far, 0]
    return (
        f"A key {far} positions before the query: rotary turns the first pair to "
        f"**{three(float(angle))}** rad, ALiBi’s head {SLOPE.value} adds "
        f"**{three(float(bias))}** to the score, T5 the number of bucket **{int(bucket)}**."
    )


def _sliders() -> None:
    with controls("-tables"):
        state.slider("Positions", N, LEAST_N, LARGEST)
        state.slider("Dimensions, d", D_HEAD, LEAST_D, LARGEST, 4)
        heads = N_HEADS.slider("ALiBi heads")
        if heads > 1:
            SLOPE.slider("head shown", 0, heads - 1)
        else:
            SLOPE.put(0)
        WINDOW.slider("Swin's M")


def _rotary() -> None:
    n, d = N.value, D_HEAD.value
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
            column_notes=tuple(f"{three(float(w))} rad a position" for w in omega),
        ),
        "q and k are turned by pos · ω. Nothing is added anywhere.",
    )


def _alibi() -> None:
    n, heads, head = N.value, N_HEADS.value, SLOPE.value
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
            title=f"ALiBi: −m (i − j), m = {three(slope)}",
            row_title="query i",
            column_title="key j",
            hidden=~np.isfinite(bias),
        ),
        f"Slopes {_slopes(heads)}; causal: later keys are masked, not biased.",
    )


def _slopes(heads: int) -> str:
    slopes = [three(float(slope)) for slope in positions.alibi_slopes(heads)]
    return ", ".join(slopes if len(slopes) < 5 else [*slopes[:3], "…", slopes[-1]])


def _t5() -> None:
    n = N.value
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
    window = WINDOW.value
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
    side = max(2, round(N.value**0.5))
    d = D_HEAD.value - D_HEAD.value % 4
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
    heat_map(replace(figure, height=TALL), key=HERE.key(f"{name}"))
    st.caption(words)


VIEW: Final = View(
    "relative",
    "Rotary, ALiBi and others",
    (N, D_HEAD, N_HEADS, SLOPE, WINDOW, *on_text.PARAMS),
    render,
)
