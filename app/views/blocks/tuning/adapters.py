"""Adapters and LoRA drawn: where the few trained numbers sit."""

from typing import Final

import streamlit as st

from app.components.diagram import Arrow, Box, Diagram, diagram
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.lora import adapter_parameters, layer_matrices, lora_parameters

HERE: Final = Scope("blocks", "tuning.adapters")
WIDTH: Final = HERE.whole("d_model", 16, 4096, 768)
RANK: Final = HERE.whole("rank", 1, 256, 8)
LAYERS: Final = HERE.whole("layers", 1, 96, 12)


def render() -> Export:
    """The drawing, with the reader's sizes counted."""
    with controls():
        WIDTH.number_input("d_model", width=140)
        RANK.number_input("r", width=110)
        LAYERS.number_input("Layers", width=110)
    d, r, layers = WIDTH.value, RANK.value, LAYERS.value
    full = layers * layer_matrices(d)
    bottleneck = 2 * layers * adapter_parameters(d, r)
    low_rank = 2 * layers * lora_parameters(d, d, r)
    caption = f"d = {d}, r = {r}, {layers} layers"
    answer(
        f"In {layers} layers LoRA on $W^Q$ and $W^V$ trains **{low_rank:,}** numbers, two adapters "
        f"a layer **{bottleneck:,}**, full fine-tuning **{full:,}**."
    )
    diagram(_drawing(d, r, caption), key=HERE.key("drawing"), clickable=False)
    st.caption(
        "LoRA: 2 matrices × r(d + d) a layer. Adapters: 2 × (2rd + r + d). All matrices of a "
        "layer: 12 d², with d_ff = 4d."
    )
    rows = (("full", full), ("adapters", bottleneck), ("lora", low_rank))
    return Export("adapters", caption, table=lambda: (("method", "trained_numbers"), rows))


def _drawing(d: int, r: int, caption: str) -> Diagram:
    boxes = (
        Box("in1", "x", 2.4, 6.6, 1.2, 0.7, sub=f"{d}"),
        Box("w", "W₀", 0.4, 3.6, 2.4, 1.4, sub=f"{d} × {d}, frozen", tip=("never changes",)),
        Box("a", "A", 3.4, 4.7, 2.0, 0.8, sub=f"{r} × {d}", hue="query", tip=("random at first",)),
        Box("b", "B", 3.4, 3.1, 2.0, 0.8, sub=f"{d} × {r}", hue="query", tip=("zero at first",)),
        Box("sum", "+", 2.6, 1.7, 0.8, 0.7),
        Box("lora", "LoRA", 0.4, 0.1, 5.0, 0.6, dashed=True),
        Box("in2", "h", 9.4, 6.6, 1.2, 0.7, sub=f"{d}"),
        Box("down", "down", 8.6, 5.3, 2.8, 0.8, sub=f"{r} × {d} and {r}", hue="key"),
        Box("act", "nonlinearity", 8.6, 4.1, 2.8, 0.8, sub=f"{r}"),
        Box("up", "up", 8.6, 2.9, 2.8, 0.8, sub=f"{d} × {r} and {d}", hue="key"),
        Box("add", "+", 9.6, 1.7, 0.8, 0.7),
        Box("adapter", "Adapter, after each sublayer", 7.4, 0.1, 5.2, 0.6, dashed=True),
    )
    arrows = (
        Arrow(((2.9, 6.6), (1.6, 5.0))),
        Arrow(((3.1, 6.6), (4.4, 5.5))),
        Arrow(((4.4, 4.7), (4.4, 3.9))),
        Arrow(((1.6, 3.6), (2.8, 2.4))),
        Arrow(((4.4, 3.1), (3.3, 2.4))),
        Arrow(((3.0, 1.7), (3.0, 0.9)), label="h = W₀x + BAx"),
        Arrow(((10.0, 6.6), (10.0, 6.1))),
        Arrow(((10.0, 5.3), (10.0, 4.9))),
        Arrow(((10.0, 4.1), (10.0, 3.7))),
        Arrow(((10.0, 2.9), (10.0, 2.4))),
        Arrow(((9.4, 6.95), (8.0, 6.95), (8.0, 2.05), (9.6, 2.05))),
        Arrow(((10.0, 1.7), (10.0, 0.9))),
    )
    return Diagram(
        boxes, arrows, width=13.0, height=7.6, label="LoRA beside an adapter", caption=caption
    )


VIEW: Final = View("adapters", "Adapters", (WIDTH, RANK, LAYERS), figure=render)
