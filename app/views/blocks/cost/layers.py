"""Table 1 of the Transformer's paper as curves, with the points where they cross."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st

from app.style.number_format import count, large, three
from app.ui import charts, params
from app.ui.export_bar import Export
from app.views.blocks.cost.words import about_layers
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import PAGE, get, key
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

WHAT: Final = {
    "operations": "operations a layer",
    "sequential": "sequential operations",
    "path": "longest path",
}
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

QUANTITY = params.choice("what", list(WHAT))
D = params.number("cd", 1, 65_536, 512)
K = params.number("ck", 2, 31, 3)
R = params.number("cr", 1, 4096, 128)
N = params.number("cn", 1, LONGEST, 1024)
PARAMS: Final = (QUANTITY, D, K, R, N)


def render() -> Export | None:
    """Curves over n, and the table at one n."""
    preset_chips(
        "layers",
        {
            "a sentence, d = 512": {D: 512, N: 70},
            "BERT at its limit": {D: 768, N: 512},
            "a book": {D: 768, N: 131_072},
        },
    )
    _controls()
    widths = Widths(int(get(D)), int(get(K)), int(get(R)))
    meeting = [crossing.n for crossing in crossovers(widths)]
    n = np.unique(np.concatenate((np.geomspace(1, LONGEST, 121), meeting)))
    n = n[n <= LONGEST]
    quantity = get(QUANTITY)
    caption = f"{WHAT[quantity]}: d = {widths.d}, k = {widths.k}, r = {widths.r}"
    figure = charts.chart(
        [
            charts.Curve(NAMES[layer], n, _values(quantity, layer, n, widths), markers=False)
            for layer in LAYER_TYPES
        ],
        x_title="length of the sequence n (log)",
        y_title=f"{WHAT[quantity]} (log)",
        log_x=True,
        log_y=True,
        height=400,
    )
    if quantity == "operations":
        for row, crossing in enumerate(sorted(crossovers(widths), key=lambda found: found.n)):
            charts.mark_x(figure, crossing.n, f"{crossing.rule} = {crossing.n:,.0f}", row=row)
    charts.show(figure, key=f"{PAGE}.layers", name="layer-types", caption=caption)
    _table_at(int(get(N)), widths)
    about_layers()
    return Export("layer-types", caption, lambda: _table(n, widths))


def _controls() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Compared", list(WHAT), format_func=WHAT.__getitem__, key=key(QUANTITY), required=True
        )
        st.number_input("Width d", 1, 65_536, step=64, key=key(D), width=140)
        st.slider("Kernel k", 2, 31, key=key(K), width=160)
        st.slider("Neighbours r", 1, 4096, key=key(R), width=220)


def _values(quantity: str, layer: LayerType, n: Lengths, widths: Widths) -> Lengths:
    if quantity == "operations":
        return operations(layer, n, widths)
    if quantity == "sequential":
        return sequential_operations(layer, n)
    return path_length(layer, n, widths)


def _table_at(n: int, widths: Widths) -> None:
    """The paper's table with numbers in it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input("The table at n =", 1, LONGEST, key=key(N), width=180)
        least = operations("self-attention", np.array([float(n)]), widths)[0]
        st.caption(
            "The others against self-attention: "
            + ", ".join(
                f"{NAMES[layer]} × {three(_at(layer, n, widths)[0] / least)}"
                for layer in LAYER_TYPES[1:]
            )
        )
    st.dataframe(
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
        hide_index=True,
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
        for quantity in WHAT:
            header.append(f"{layer} {quantity}")
            columns.append(_values(quantity, layer, n, widths))
    return header, zip(*columns, strict=True)
