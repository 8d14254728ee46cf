"""The bytes of attention's maps, from 512 positions to a million."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.style.number_format import large
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.attention_memory import (
    Lengths,
    full_pairs,
    limited_pairs,
    map_bytes,
)

LENGTHS: Final = tuple(512 * 2**power for power in range(12))  # 512 … 1,048,576
MACHINES: Final = ((16e9, "16 GB: a laptop"), (80e9, "80 GB: a data-centre GPU"))

HERE: Final = Scope("blocks", "cost.memory")
LAYERS: Final = HERE.whole("layers", 1, 256, 12)
HEADS: Final = HERE.whole("heads", 1, 256, 12)
EACH: Final = HERE.choice(
    "bytes", {"4": "float32, 4 bytes", "2": "float16, 2 bytes", "1": "int8, 1 byte"}
)
PROJECTED: Final = HERE.whole("linformer", 1, 4096, 256)
WINDOW: Final = HERE.whole("window", 1, 4096, 512)
PRESETS: Final = {
    "BERT base": (LAYERS.at(12), HEADS.at(12)),
    "BERT large": (LAYERS.at(24), HEADS.at(16)),
    "GPT-3": (LAYERS.at(96), HEADS.at(96)),
    "one head": (LAYERS.at(1), HEADS.at(1)),
}


def render() -> Export:
    """Curves over n; the table at the powers of two."""
    with controls():
        LAYERS.slider("Layers", width=150)
        HEADS.slider("Heads", width=150)
        EACH.segmented("Each number")
        PROJECTED.slider("Linformer's k", width=170)
        WINDOW.slider("Window w", width=170)
        preset_chips(PRESETS, key=HERE.key("preset"))
    n = np.array(LENGTHS, dtype=np.float64)
    kinds = _kinds(n)
    caption = (
        f"{LAYERS.value} layers × {HEADS.value} heads, {EACH.names[EACH.value]}, Linformer k = "
        f"{PROJECTED.value}, window {WINDOW.value}"
    )
    figure = charts.chart(
        [charts.Curve(name, n, found) for name, found in kinds.items()],
        x_title="length of the sequence n (log)",
        y_title="bytes of all maps (log)",
        log_x=True,
        log_y=True,
        height=400,
    )
    answer(_answered(n, kinds))
    for size, name in MACHINES:
        charts.mark_y(figure, size, name, left=True)
    charts.show(figure, key=HERE.key("memory"), name="attention-memory", caption=caption)
    _rows(n, kinds)
    return Export("attention-memory", caption, lambda: _table(n, kinds))


def _answered(n: Lengths, kinds: dict[str, Lengths]) -> str:
    """The first length at which the full maps outgrow the larger machine, in Markdown."""
    size, _ = MACHINES[-1]
    full, *_ = kinds.values()
    over = np.flatnonzero(full > size)
    at = int(over[0]) if len(over) else len(n) - 1
    each = " · ".join(f"{kind} **{large(float(found[at]), 'B')}**" for kind, found in kinds.items())
    outgrow = f" all pairs first outgrow {large(size, 'B')}" if len(over) else ""
    return f"At n = {n[at]:,.0f}{outgrow}: {each}."


def _kinds(n: Lengths) -> dict[str, Lengths]:
    pairs = {
        "all pairs, n²": full_pairs(n),
        f"Linformer, n · {PROJECTED.value}": limited_pairs(n, PROJECTED.value),
        f"windows, n · {WINDOW.value}": limited_pairs(n, WINDOW.value),
    }
    return {
        name: map_bytes(found, layers=LAYERS.value, heads=HEADS.value, bytes_each=int(EACH.value))
        for name, found in pairs.items()
    }


def _rows(n: Lengths, kinds: dict[str, Lengths]) -> None:
    one = map_bytes(full_pairs(n), layers=1, heads=1, bytes_each=int(EACH.value))
    data_table(
        {
            "n": [f"{length:,.0f}" for length in n],
            "pairs": [large(pairs, "") for pairs in full_pairs(n)],
            "one map": [large(size, "B") for size in one],
            **{name: [large(size, "B") for size in sizes] for name, sizes in kinds.items()},
        },
        height=38 + 35 * len(LENGTHS),
    )


def _table(n: Lengths, kinds: dict[str, Lengths]) -> tuple[list[str], Iterator[tuple[float, ...]]]:
    return ["n", *(f"{name}, bytes" for name in kinds)], zip(n, *kinds.values(), strict=True)


VIEW: Final = View("memory", "Memory", (LAYERS, HEADS, EACH, PROJECTED, WINDOW), figure=render)
