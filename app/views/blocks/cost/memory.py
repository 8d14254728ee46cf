"""The bytes of attention's maps, from 512 positions to a million."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st

from app.style.number_format import large
from app.ui import charts, params
from app.ui.export_bar import Export
from app.views.blocks.cost.words import about_memory
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import PAGE, get, key
from core.blocks.attention_memory import (
    Lengths,
    full_pairs,
    limited_pairs,
    map_bytes,
)

BYTES: Final = {"4": "float32, 4 bytes", "2": "float16, 2 bytes", "1": "int8, 1 byte"}
LENGTHS: Final = tuple(512 * 2**power for power in range(12))  # 512 … 1,048,576
MACHINES: Final = ((16e9, "16 GB: a laptop"), (80e9, "80 GB: a data-centre GPU"))

LAYERS = params.number("mlayers", 1, 256, 12)
HEADS = params.number("mheads", 1, 256, 12)
EACH = params.choice("bytes", list(BYTES))
PROJECTED = params.number("lin", 1, 4096, 256)
WINDOW = params.number("win", 1, 4096, 512)
PARAMS: Final = (LAYERS, HEADS, EACH, PROJECTED, WINDOW)


def render() -> Export | None:
    """Curves over n; the table at the powers of two."""
    preset_chips(
        "memory",
        {
            "BERT base": {LAYERS: 12, HEADS: 12},
            "BERT large": {LAYERS: 24, HEADS: 16},
            "GPT-3": {LAYERS: 96, HEADS: 96},
            "one head": {LAYERS: 1, HEADS: 1},
        },
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider("Layers", 1, 256, key=key(LAYERS), width=150)
        st.slider("Heads", 1, 256, key=key(HEADS), width=150)
        st.segmented_control(
            "Each number", list(BYTES), format_func=BYTES.__getitem__, key=key(EACH), required=True
        )
        st.slider("Linformer's k", 1, 4096, key=key(PROJECTED), width=170)
        st.slider("Window w", 1, 4096, key=key(WINDOW), width=170)
    n = np.array(LENGTHS, dtype=np.float64)
    kinds = _kinds(n)
    caption = (
        f"{get(LAYERS)} layers × {get(HEADS)} heads, {BYTES[get(EACH)]}, Linformer k = "
        f"{get(PROJECTED)}, window {get(WINDOW)}"
    )
    figure = charts.chart(
        [charts.Curve(name, n, found) for name, found in kinds.items()],
        x_title="length of the sequence n (log)",
        y_title="bytes of all maps (log)",
        log_x=True,
        log_y=True,
        height=400,
    )
    for size, name in MACHINES:
        charts.mark_y(figure, size, name, left=True)
    charts.show(figure, key=f"{PAGE}.memory", name="attention-memory", caption=caption)
    _rows(n, kinds)
    about_memory()
    return Export("attention-memory", caption, lambda: _table(n, kinds))


def _kinds(n: Lengths) -> dict[str, Lengths]:
    pairs = {
        "all pairs, n²": full_pairs(n),
        f"Linformer, n · {get(PROJECTED)}": limited_pairs(n, int(get(PROJECTED))),
        f"windows, n · {get(WINDOW)}": limited_pairs(n, int(get(WINDOW))),
    }
    return {
        name: map_bytes(
            found, layers=int(get(LAYERS)), heads=int(get(HEADS)), bytes_each=int(get(EACH))
        )
        for name, found in pairs.items()
    }


def _rows(n: Lengths, kinds: dict[str, Lengths]) -> None:
    one = map_bytes(full_pairs(n), layers=1, heads=1, bytes_each=int(get(EACH)))
    st.dataframe(
        {
            "n": [f"{length:,.0f}" for length in n],
            "pairs": [large(pairs, "") for pairs in full_pairs(n)],
            "one map": [large(size, "B") for size in one],
            **{name: [large(size, "B") for size in sizes] for name, sizes in kinds.items()},
        },
        hide_index=True,
        height=38 + 35 * len(LENGTHS),
    )


def _table(n: Lengths, kinds: dict[str, Lengths]) -> tuple[list[str], Iterator[tuple[float, ...]]]:
    return ["n", *(f"{name}, bytes" for name in kinds)], zip(n, *kinds.values(), strict=True)
