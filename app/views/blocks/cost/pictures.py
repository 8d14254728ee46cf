"""Pixels, patches, windows: how many pairs a picture has."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from app.style.number_format import large, three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.attention_memory import Picture

LARGEST: Final = 20_000  # pixels of a side
HEIGHTS: Final = np.unique(np.geomspace(56, 8192, 60).round()).astype(int)

HERE: Final = Scope("blocks", "cost.pictures")
WIDTH: Final = HERE.whole("width", 1, LARGEST, 1920)
HEIGHT: Final = HERE.whole("height", 1, LARGEST, 1080)
PATCH: Final = HERE.whole("patch", 1, 256, 16)
WINDOW: Final = HERE.whole("window", 1, 64, 7)
CHANNELS: Final = HERE.whole("channels", 1, 8192, 96)
PRESETS: Final = {
    "a screen, 1920 × 1080": (WIDTH.at(1920), HEIGHT.at(1080), PATCH.at(16)),
    "ViT-B/16": (WIDTH.at(224), HEIGHT.at(224), PATCH.at(16), CHANNELS.at(768)),
    "Swin's first stage": (
        WIDTH.at(224), HEIGHT.at(224), PATCH.at(4), WINDOW.at(7), CHANNELS.at(96),
    ),
    "4K": (WIDTH.at(3840), HEIGHT.at(2160), PATCH.at(16)),
}  # fmt: skip
KINDS: Final = ("pixels, every pair", "patches, every pair", "patches, within windows")


def render() -> Export:
    """Curves over the height at the same aspect; the numbers of this picture."""
    with controls():
        WIDTH.number_input("Width (pixels)", width=150)
        HEIGHT.number_input("Height (pixels)", width=150)
        PATCH.slider("Patch (pixels)", width=190)
        WINDOW.slider("Window M (patches)", width=190)
        CHANNELS.number_input("Channels C", width=130)
        preset_chips(PRESETS, key=HERE.key("preset"))
    picture = Picture(WIDTH.value, HEIGHT.value, PATCH.value)
    window, channels = WINDOW.value, CHANNELS.value
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
    pixels = replace(picture, patch=1)
    answer(
        f"{picture.width} × {picture.height} pixels have **{three(float(pixels.pairs))}** pairs, "
        f"their patches of {picture.patch} × {picture.patch} **{three(float(picture.pairs))}**, "
        f"within windows of {window} × {window} patches "
        f"**{three(float(picture.window_pairs(window)))}**."
    )
    charts.mark_x(figure, float(picture.height), f"{picture.height} pixels")
    charts.show(figure, key=HERE.key("pictures"), name="picture-pairs", caption=caption)
    _numbers(picture, window)
    return Export(
        "picture-pairs",
        caption,
        lambda: _table(heights, curves),
        facts={
            "channels": f"{channels:,}",
            "all_pairs": three(picture.attention_operations(channels)),
            "windows": three(picture.window_operations(channels, window)),
        },
    )


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


VIEW: Final = View("pictures", "Pictures", (WIDTH, HEIGHT, PATCH, WINDOW, CHANNELS), figure=render)
