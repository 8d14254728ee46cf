"""Relative position bias: every head's table over offsets, and which number a pair takes."""

import math

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import vision
from app.style.number_format import three
from app.style.worked import step
from app.ui import progress
from app.views.vision.swin import params
from app.views.vision.swin.looks import Traced

KEY = params.HERE.key("bias")
ACROSS = 4  # heads side by side; two of four
MOST = 16  # heads drawn; the files have all
GAP = 1  # cells between two heads


def render(traced: Traced, block: int) -> np.ndarray | None:
    """The block's tables, as tiles; returns them as (head, down, along), or None without."""
    st.subheader("Relative position bias")
    asked = vision.relative_biases(traced.card.id)
    tables = progress.outcome(asked, traced.card.id)
    if tables is None:
        return None
    table = tables[block]
    left, right = st.columns([7, 4], gap="large")
    with left:
        cell = heat_map(_tiles(table[:MOST], traced, block), key=f"{KEY}.{block}")
    with right:
        _explain(table, cell)
    if len(table) > MOST:
        st.caption(f"The first {MOST} of {len(table)} heads; the files hold all.")
    return table


def _tiles(table: np.ndarray, traced: Traced, block: int) -> HeatMap:
    heads, high, wide = table.shape
    across = _across(heads)
    down = -(-heads // across)
    values = np.zeros((down * (high + GAP) - GAP, across * (wide + GAP) - GAP), dtype=np.float32)
    hidden = np.ones(values.shape, dtype=bool)
    for head in range(heads):
        top, left = (head // across) * (high + GAP), (head % across) * (wide + GAP)
        values[top : top + high, left : left + wide] = table[head]
        hidden[top : top + high, left : left + wide] = False
    return HeatMap(
        values=values,
        rows=tuple(_side_label(i, high) for i in range(values.shape[0])),
        columns=tuple(_side_label(i, wide) for i in range(values.shape[1])),
        label=f"Relative position bias of block {block}, {heads} heads",
        caption=f"{traced.caption} · relative position bias, {traced.geometry.name(block)}",
        title=f"Block {block}: B by offset, heads 0 to {heads - 1}, row by row",
        row_title="query row − key row",
        column_title="query column − key column",
        hidden=hidden,
        height=420,
    )


def _across(heads: int) -> int:
    return min(heads, ACROSS if heads > ACROSS else ACROSS // 2)


def _side_label(place: int, side: int) -> str:
    offset = place % (side + GAP) - (side - 1) // 2
    return (
        "" if place % (side + GAP) == side else f"{offset:+d}".replace("-", "−").replace("+0", "0")
    )


def _explain(table: np.ndarray, cell: tuple[int, int] | None) -> None:
    """How an offset becomes an index; for the clicked cell with its numbers."""
    heads, high, wide = table.shape
    m, n = (high + 1) // 2, (wide + 1) // 2
    st.markdown(
        f"A window of {m} × {n} patches knows offsets from −{m - 1} to {m - 1}: "
        f"{high} × {wide} = {high * wide} learned numbers a head, whatever the pair. An offset "
        f"(Δrow, Δcolumn) of query and key is found at"
    )
    st.latex(
        rf"\text{{index}} = (\Delta_\text{{row}} + {m - 1})\cdot {wide} + "
        rf"(\Delta_\text{{column}} + {n - 1})"
    )
    found = None if cell is None else _place(cell, heads, high, wide)
    if found is None:
        middle = table[:, m - 1, n - 1]
        st.markdown(
            f"The middle of each tile is the patch itself: index {(m - 1) * wide + n - 1}, "
            f"B = {', '.join(three(float(value)) for value in middle[:8])}"
            f"{' …' if heads > 8 else ''}. Click a cell to see its index."
        )
        return
    head, row, column = found
    value = float(table[head, row, column])
    (bias,), factor = step([value], math.exp(value), math.exp)
    st.markdown(
        f"Head {head}: Δrow {row - m + 1:+d}, Δcolumn {column - n + 1:+d} → index "
        f"({row - m + 1:+d} + {m - 1}) · {wide} + ({column - n + 1:+d} + {n - 1}) = "
        f"**{row * wide + column}**, B = **{bias}**. Added to the score, "
        "it multiplies this pair's weight, before the row is normalised, by "
        f"exp B = {factor}."
    )


def _place(cell: tuple[int, int], heads: int, high: int, wide: int) -> tuple[int, int, int] | None:
    """Head and place within its tile; None for a gap."""
    across = _across(heads)
    (down, row), (along, column) = divmod(cell[0], high + GAP), divmod(cell[1], wide + GAP)
    head = down * across + along
    return (head, row, column) if row < high and column < wide and head < heads else None
