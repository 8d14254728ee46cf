"""Boxes as tables that a reader edits; what stands there lives in a parameter."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import streamlit as st

from app.views.vision.detr.params import ANSWERS, CLASSES, MOST_ROWS, Row, Table
from core.errors import InputError
from core.explain.objectives.hungarian_matching import spread_probabilities

BOX = ("x", "y", "w", "h")


def edit(
    param: Table, title: str, columns: Sequence[str], classes: Sequence[str] = CLASSES
) -> None:
    """Draw the table; rows can be added and taken away. A changed parameter begins a new table."""
    slot = f"{param.key}:table"
    before = param.value
    base, version, last = cast(
        "tuple[tuple[Row, ...], int, tuple[Row, ...] | None]",
        st.session_state.get(slot, ((), 0, None)),
    )
    if before != last:  # a link, an example or a drag
        base, version = before, version + 1
    given: dict[str, list[float | str | None]] = {
        name: [row[index] for row in base] for index, name in enumerate(columns)
    }
    given["class"] = [None if row[0] is None else classes[int(row[0])] for row in base]
    st.markdown(title)
    edited = st.data_editor(
        given,
        key=f"{slot}.{version}",
        hide_index=True,
        num_rows="dynamic",
        row_height=32,
        column_config={
            "class": st.column_config.SelectboxColumn(options=list(classes), width=96),
            **{
                name: st.column_config.NumberColumn(format="%.3g", width=52)
                for name in columns
                if name != "class"
            },
        },
    )
    said = cast("list[str | None]", edited["class"])
    named = [None if cell is None else float(classes.index(cell)) for cell in said]
    rest = cast("list[list[float | None]]", [edited[n] for n in columns if n != "class"])
    rows = tuple(
        (label, *(None if cell is None else float(cell) for cell in numbers))
        for label, *numbers in zip(named, *rest, strict=True)
    )
    rows = tuple(row for row in rows if any(cell is not None for cell in row))
    param.put(rows)
    st.session_state[slot] = (base, version, rows)


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
