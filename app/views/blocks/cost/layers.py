"""Table 1 of the Transformer's paper as curves, with the points where they cross."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st

from app.style.number_format import count, large, three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.layer_cost import (
    LAYER_TYPES,
    LayerType,
    Lengths,
    Widths,
    crossovers,
    operations,
    path_length,
    sequential_operations,
)

NAMES: Final[dict[LayerType, str]] = {
    "self-attention": "self-attention",
    "recurrent": "recurrent",
    "convolution": "convolution",
    "restricted": "self-attention, restricted",
}
FORMULAS: Final[dict[LayerType, tuple[str, str, str]]] = {
    "self-attention": ("n² · d", "1", "1"),
    "recurrent": ("n · d²", "n", "n"),
    "convolution": ("k · n · d²", "1", "logₖ n"),
    "restricted": ("r · n · d", "1", "n / r"),
}
LONGEST: Final = 1_000_000  # positions

HERE: Final = Scope("blocks", "cost.layers")
QUANTITY: Final = HERE.choice(
    "quantity",
    {
        "operations": "operations a layer",
        "sequential": "sequential operations",
        "path": "longest path",
    },
)
D: Final = HERE.whole("d", 1, 65_536, 512)
K: Final = HERE.whole("k", 2, 31, 3)
R: Final = HERE.whole("r", 1, 4096, 128)
N: Final = HERE.whole("n", 1, LONGEST, 1024)
PRESETS: Final = {
    "a sentence, d = 512": (D.at(512), N.at(70)),
    "BERT at its limit": (D.at(768), N.at(512)),
    "a book": (D.at(768), N.at(131_072)),
}


def render() -> Export:
    """Curves over n, and the table at one n."""
    _controls()
    widths = Widths(D.value, K.value, R.value)
    meeting = [crossing.n for crossing in crossovers(widths)]
    n = np.unique(np.concatenate((np.geomspace(1, LONGEST, 121), meeting)))
    n = n[n <= LONGEST]
    quantity = QUANTITY.value
    caption = f"{QUANTITY.names[quantity]}: d = {widths.d}, k = {widths.k}, r = {widths.r}"
    figure = charts.chart(
        [
            charts.Curve(NAMES[layer], n, _values(quantity, layer, n, widths), markers=False)
            for layer in LAYER_TYPES
        ],
        x_title="length of the sequence n (log)",
        y_title=f"{QUANTITY.names[quantity]} (log)",
        log_x=True,
        log_y=True,
        height=400,
    )
    if quantity == "operations":
        for row, crossing in enumerate(sorted(crossovers(widths), key=lambda found: found.n)):
            charts.mark_x(figure, crossing.n, f"{crossing.rule} = {crossing.n:,.0f}", row=row)
    place = tuple(QUANTITY.names).index(quantity)
    each = " · ".join(
        f"{NAMES[layer]} **{large(_at(layer, N.value, widths)[place], '').strip()}**"
        for layer in LAYER_TYPES
    )
    answer(f"At n = {N.value:,}, {QUANTITY.names[quantity]}: {each}.")
    charts.show(figure, key=HERE.key("layers"), name="layer-types", caption=caption)
    _table_at(widths)
    return Export("layer-types", caption, lambda: _table(n, widths))


def _controls() -> None:
    with controls():
        QUANTITY.segmented("Compared")
        D.number_input("Width d", step=64, width=140)
        K.slider("Kernel k", width=160)
        R.slider("Neighbours r", width=220)
        preset_chips(PRESETS, key=HERE.key("preset"))


def _values(quantity: str, layer: LayerType, n: Lengths, widths: Widths) -> Lengths:
    if quantity == "operations":
        return operations(layer, n, widths)
    if quantity == "sequential":
        return sequential_operations(layer, n)
    return path_length(layer, n, widths)


def _table_at(widths: Widths) -> None:
    """The paper's table with numbers in it."""
    n = N.value
    with st.container(horizontal=True, vertical_alignment="bottom"):
        N.number_input("The table at n =", width=180)
        least = operations("self-attention", np.array([float(n)]), widths)[0]
        st.caption(
            "The others against self-attention: "
            + ", ".join(
                f"{NAMES[layer]} × {three(_at(layer, n, widths)[0] / least)}"
                for layer in LAYER_TYPES[1:]
            )
        )
    data_table(
        [
            {
                "layer type": NAMES[layer],
                "operations": FORMULAS[layer][0],
                f"at n = {n:,}": large(_at(layer, n, widths)[0], ""),
                "sequential": FORMULAS[layer][1],
                "steps": f"{_at(layer, n, widths)[1]:,.0f}",
                "longest path": FORMULAS[layer][2],
                "length": count(_at(layer, n, widths)[2]),
            }
            for layer in LAYER_TYPES
        ],
    )


def _at(layer: LayerType, n: int, widths: Widths) -> tuple[float, float, float]:
    where = np.array([float(n)])
    found = (
        operations(layer, where, widths),
        sequential_operations(layer, where),
        path_length(layer, where, widths),
    )
    return float(found[0][0]), float(found[1][0]), float(found[2][0])


def _table(n: Lengths, widths: Widths) -> tuple[list[str], Iterator[tuple[float, ...]]]:
    header, columns = ["n"], [n]
    for layer in LAYER_TYPES:
        for quantity in QUANTITY.names:
            header.append(f"{layer} {quantity}")
            columns.append(_values(quantity, layer, n, widths))
    return header, zip(*columns, strict=True)


VIEW: Final = View("layers", "Layer types", (QUANTITY, D, K, R, N), figure=render)
