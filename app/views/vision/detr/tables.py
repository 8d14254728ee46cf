"""Boxes as tables that a reader edits; what stands there lives in a parameter."""

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.ui.edited_table import EditedTable
from app.views.vision.detr.params import ANSWERS, CLASSES, MOST_ROWS, Row, Table
from core.errors import InputError
from core.explain.objectives.hungarian_matching import spread_probabilities

BOX = ("x", "y", "w", "h")


def edit(
    param: Table, title: str, columns: Sequence[str], classes: Sequence[str] = CLASSES
) -> None:
    """Draw the table; rows can be added and taken away. A changed parameter begins a new table."""
    table = EditedTable(param.key, param.value)

    def cells() -> dict[str, list[float | str | None]]:
        given: dict[str, list[float | str | None]] = {
            name: [row[index] for row in param.value] for index, name in enumerate(columns)
        }
        given["class"] = [None if row[0] is None else classes[int(row[0])] for row in param.value]
        return given

    st.markdown(title)
    edited = table.edit(
        cells,
        num_rows="dynamic",
        column_config={
            "class": st.column_config.SelectboxColumn(options=list(classes), width=96),
            **{
                name: st.column_config.NumberColumn(format="%.3g", width=52)
                for name in columns
                if name != "class"
            },
        },
    )
    named = [
        float(classes.index(cell)) if isinstance(cell, str) else None for cell in edited["class"]
    ]
    rest = [[_number(cell) for cell in edited[name]] for name in columns if name != "class"]
    rows: tuple[Row, ...] = tuple(zip(named, *rest, strict=True))
    rows = tuple(row for row in rows if any(cell is not None for cell in row))
    param.put(rows)
    table.leave(rows)


def _number(cell: object) -> float | None:
    return float(cell) if isinstance(cell, int | float) and not math.isnan(cell) else None


def labels_of(rows: Sequence[Row], name: str) -> np.ndarray:
    """The classes. Raises InputError for a row without one, or for too many rows."""
    if not rows:
        raise InputError(f"There is no {name.lower()}: add a row to the table.")
    if len(rows) > MOST_ROWS:
        raise InputError(f"There are {len(rows)} rows; up to {MOST_ROWS} are drawn. Delete some.")
    for index, row in enumerate(rows):
        if row[0] is None:
            raise InputError(f"{name} {index + 1} has no class: choose one in the table.")
    return np.array([int(row[0] or 0) for row in rows], dtype=np.int64)


def probabilities_of(rows: Sequence[Row]) -> np.ndarray:
    """(slot, class): p for the class said; the others share the rest evenly."""
    labels = labels_of(rows, "Prediction")
    chances = [row[1] for row in rows]
    for index, p in enumerate(chances):
        if p is None or not 0 <= p <= 1:
            came = "empty" if p is None else f"{p:g}"
            raise InputError(
                f"Prediction {index + 1}: p is {came}; give a probability from 0 to 1."
            )
    return spread_probabilities(labels, np.array(chances, dtype=np.float64), len(ANSWERS))


def boxes_of(rows: Sequence[Row]) -> np.ndarray:
    """(row, 4); an empty cell is NaN."""
    cells = [[np.nan if n is None else n for n in row[-4:]] for row in rows]
    return np.array(cells, dtype=float).reshape(-1, 4)


def moved(rows: Sequence[Row], boxes: Sequence[Sequence[float]]) -> tuple[Row, ...]:
    """The rows with other boxes."""
    return tuple((*row[:-4], *box) for row, box in zip(rows, boxes, strict=True))
