"""The logit lens as every page draws it: layers as rows, the last on top, and ranks on the way.

The states of the residual stream count as they are read: 0 is the *input* (the embeddings), and
1 what block 0 gave. In charts, tables and links a state goes by the block that made it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from jaxtyping import Bool, Float32, Int64

from app.components.token_table import TokenTable
from app.style.number_format import three
from app.ui import charts

INPUT: Final = "input"


def layer_number(state: int) -> str:
    """ "input", then "0", "1", …, as an axis or a column headed "layer" has it."""
    return INPUT if state == 0 else str(state - 1)


def layer_name(state: int) -> str:
    """ "input", then "layer 0", "layer 1", …"""
    return INPUT if state == 0 else f"layer {state - 1}"


def state_of(number: str) -> int | None:
    """The state that `layer_number` wrote; None for what it can't have written."""
    if number == INPUT:
        return 0
    return int(number) + 1 if number.isdecimal() and len(number) <= 3 else None


def lens_table(
    first: Int64[np.ndarray, "state column"],
    probability: Float32[np.ndarray, "state column"],
    answers: Sequence[str],
    *,
    states: Sequence[int],
    columns: Sequence[str],
    note: Callable[[int, int], str] | None = None,
    marked: Bool[np.ndarray, "state column"] | None = None,
    column_ids: tuple[int, ...] = (),
    tokens: bool = True,
    **said: Any,
) -> TokenTable:
    """What each layer would say: an answer in every cell, shaded by its probability.

    note: what a hover adds, by row of `first` and column. tokens: whether the answers are, with
    their indices for ids; column_ids: of columns that are. said: label, titles and caption.
    """
    order = range(len(first))[::-1]  # as the residual stream is drawn
    return TokenTable(
        cells=tuple(tuple(answers[int(index)] for index in first[row]) for row in order),
        shades=np.ascontiguousarray(probability[list(order)], dtype=np.float32),
        rows=tuple(layer_number(states[row]) for row in order),
        columns=tuple(columns),
        notes=()
        if note is None
        else tuple(tuple(note(row, column) for column in range(len(columns))) for row in order),
        marked=None if marked is None else np.ascontiguousarray(marked[list(order)]),
        row_title="layer",
        tokens=tokens,
        cell_ids=tuple(tuple(first[row].tolist()) for row in order) if tokens else (),
        column_ids=column_ids,
        **said,
    )


def show_ranks(ranks: Sequence[charts.Curve], *, key: str, name: str, height: int = 300) -> None:
    """A rank's way through the layers, the first choice on top; each curve's y, one a state."""
    names = [layer_number(state) for state in range(max(len(curve.y) for curve in ranks))]
    chart = charts.chart(
        ranks, x_title="layer", y_title="rank (log; 1: first choice)", log_y=True, height=height
    )
    chart.x_axis(type="category", categoryorder="array", categoryarray=names)
    chart.y_axis(autorange="reversed")
    charts.show(chart, key=key, name=name)


def rank_curve(
    name: str, ranks: Int64[np.ndarray, " state"], p: Sequence[float], hue: str = ""
) -> charts.Curve:
    """One word's rank after every layer; its probability on hover."""
    names = tuple(layer_number(state) for state in range(len(ranks)))
    hover = tuple(
        f"{name}, {layer_name(state)}: rank {rank}, P = {three(float(chance))}"
        for state, (rank, chance) in enumerate(zip(ranks, p, strict=True))
    )
    return charts.Curve(name, names, ranks.astype(np.float64), hover, hue=hue)
