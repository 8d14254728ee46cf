"""Pixels, patches, windows: how many pairs a picture has."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from app.style.number_format import large, three
from app.ui import charts, params
from app.ui.export_bar import Export
from app.views.blocks.cost.words import about_pictures
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import PAGE, get, key
from core.blocks.attention_memory import Picture

LARGEST: Final = 20_000  # pixels of a side
HEIGHTS: Final = np.unique(np.geomspace(56, 8192, 60).round()).astype(int)

WIDTH = params.number("wide", 1, LARGEST, 1920)
HEIGHT = params.number("high", 1, LARGEST, 1080)
PATCH = params.number("patch", 1, 256, 16)
WINDOW = params.number("swin", 1, 64, 7)
CHANNELS = params.number("chan", 1, 8192, 96)
PARAMS: Final = (WIDTH, HEIGHT, PATCH, WINDOW, CHANNELS)
KINDS: Final = ("pixels, every pair", "patches, every pair", "patches, within windows")


def render() -> Export | None:
    """Curves over the height at the same aspect; the numbers of this picture."""
    preset_chips(
        "pictures",
        {
            "a screen, 1920 × 1080": {WIDTH: 1920, HEIGHT: 1080, PATCH: 16},
            "ViT-B/16": {WIDTH: 224, HEIGHT: 224, PATCH: 16, CHANNELS: 768},
            "Swin's first stage": {
                WIDTH: 224, HEIGHT: 224, PATCH: 4, WINDOW: 7, CHANNELS: 96
            },
            "4K": {WIDTH: 3840, HEIGHT: 2160, PATCH: 16},
        },
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input("Width (pixels)", 1, LARGEST, key=key(WIDTH), width=150)
        st.number_input("Height (pixels)", 1, LARGEST, key=key(HEIGHT), width=150)
        st.slider("Patch (pixels)", 1, 256, key=key(PATCH), width=190)
        st.slider("Window M (patches)", 1, 64, key=key(WINDOW), width=190)
        st.number_input("Channels C", 1, 8192, key=key(CHANNELS), width=130)
    picture = Picture(int(get(WIDTH)), int(get(HEIGHT)), int(get(PATCH)))
    window = int(get(WINDOW))
    caption = (
        f"{picture.width} × {picture.height} pixels, patches of {picture.patch}, windows of "
        f"{window} × {window} patches"
    )
    curves = _curves(picture, window)
    heights = HEIGHTS.astype(np.float64)
    figure = charts.chart(
        [
            charts.Curve(name, heights, pairs, markers=False)
            for name, pairs in zip(KINDS, curves, strict=True)
        ],
        x_title=f"height in pixels, at {picture.width}:{picture.height} (log)",
        y_title="pairs that attention weighs (log)",
        log_x=True,
        log_y=True,
        height=380,
    )
    charts.mark_x(figure, float(picture.height), f"{picture.height} pixels")
    charts.show(figure, key=f"{PAGE}.pictures", name="picture-pairs", caption=caption)
    _numbers(picture, window)
    about_pictures(picture, window, int(get(CHANNELS)))
    return Export("picture-pairs", caption, lambda: _table(heights, curves))


def _curves(picture: Picture, window: int) -> tuple[np.ndarray, ...]:
    aspect = picture.width / picture.height
    sizes = [
        replace(picture, width=max(1, round(aspect * height)), height=int(height))
        for height in HEIGHTS
    ]
    pairs = (
        [float(replace(size, patch=1).pairs) for size in sizes],
        [float(size.pairs) for size in sizes],
        [float(size.window_pairs(window)) for size in sizes],
    )
    return tuple(map(np.array, pairs))


def _numbers(picture: Picture, window: int) -> None:
    pixels = replace(picture, patch=1)
    columns = st.columns(4)
    columns[0].metric("Pairs of pixels", three(float(pixels.pairs)))
    columns[0].caption(f"{pixels.positions:,} pixels, squared")
    columns[1].metric("Pairs of patches", three(float(picture.pairs)))
    columns[1].caption(f"{picture.columns:,} × {picture.rows:,} = {picture.positions:,} patches")
    columns[2].metric("Within windows", three(float(picture.window_pairs(window))))
    columns[2].caption(f"M² · HW = {window}² · HW, padded to whole windows")
    columns[3].metric(
        "Patches save", f"{three(pixels.pairs / picture.pairs)} ×", help="about patch⁴"
    )
    columns[3].caption(
        f"windows another {three(picture.pairs / picture.window_pairs(window))} ×; "
        f"one map of all patches is {large(4 * picture.pairs, 'B')} in float32"
    )


def _table(
    heights: np.ndarray, curves: tuple[np.ndarray, ...]
) -> tuple[list[str], Iterator[tuple[float, ...]]]:
    return ["height", *KINDS], zip(heights, *curves, strict=True)
