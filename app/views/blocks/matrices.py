"""Small matrices that a reader edits: as a link's parameter, and as a table."""

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.ui.edited_table import EditedTable
from app.ui.params import Param, Scope

Matrix = tuple[tuple[float | None, ...], ...]  # None: an empty cell
MOST = 6  # rows and columns that are kept; fewer are shown


def matrix(scope: Scope, name: str, default: Matrix) -> Param[Matrix]:
    """A matrix of at most 6 × 6 numbers; a link writes it as 1,0.5;,2 (the third is empty)."""
    return scope.custom(name, filled(default), _parse, _write)


def filled(given: Matrix) -> Matrix:
    """Six by six: what is shown can grow without losing what stands there."""
    rows = [tuple(row[:MOST]) + (0.0,) * (MOST - len(row)) for row in given[:MOST]]
    return (*rows, *(((0.0,) * MOST,) * (MOST - len(rows))))


def shown(param: Param[Matrix], n_rows: int, n_columns: int) -> np.ndarray:
    """The upper left corner as float32; an empty cell is NaN."""
    rows = [row[:n_columns] for row in param.value[:n_rows]]
    return np.array(
        [[math.nan if cell is None else cell for cell in row] for row in rows], dtype=np.float32
    )


def edit(param: Param[Matrix], labels: Sequence[str], n_columns: int) -> np.ndarray:
    """The table to edit, one row a label; returns its numbers, an empty cell as NaN."""
    table = EditedTable(param.key, (param.value, len(labels), n_columns))

    def columns() -> dict[str, list[str] | list[float | None]]:
        rows = param.value[: len(labels)]
        numbers = {str(column + 1): [row[column] for row in rows] for column in range(n_columns)}
        return {"": list(labels), **numbers}

    edited = table.edit(
        columns,
        num_rows="fixed",
        column_config={
            "": st.column_config.TextColumn(disabled=True, width=64),
            **{
                str(column + 1): st.column_config.NumberColumn(width=44)
                for column in range(n_columns)
            },
        },
    )
    put_corner(param, [edited[str(column + 1)] for column in range(n_columns)])
    table.leave((param.value, len(labels), n_columns))
    return shown(param, len(labels), n_columns)


def put_corner(param: Param[Matrix], columns: Sequence[Sequence[object]]) -> None:
    """Write columns into the upper left corner; the rest stays."""
    rows = [list(row) for row in param.value]
    for j, column in enumerate(columns):
        for i, cell in enumerate(column):
            rows[i][j] = _number(cell)
    param.put(tuple(tuple(row) for row in rows))


def _number(cell: object) -> float | None:
    return float(cell) if isinstance(cell, int | float) and math.isfinite(cell) else None


def _parse(given: str) -> Matrix | None:
    try:
        rows = [
            tuple(float(cell) if cell else None for cell in row.split(","))
            for row in given.split(";")
        ]
    except ValueError:
        return None
    numbers = [cell for row in rows for cell in row if cell is not None]
    return filled(tuple(rows)) if all(map(math.isfinite, numbers)) else None


def _write(given: Matrix) -> str:
    return ";".join(
        ",".join("" if cell is None else f"{cell:.6g}" for cell in row) for row in given
    )
