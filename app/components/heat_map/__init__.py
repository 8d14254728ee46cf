"""Any matrix or strip of numbers on one canvas: hover reads a value, a click selects a cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from jaxtyping import Bool, Float32

from app.components.frame import pack
from app.components.mount import Seeded, nothing, register

Cell = tuple[int, int]  # (row, column)
NOWHERE: Final = (-1, -1)  # nothing selected; a seed must not be None
MOST_CELLS: Final = 1_100_000  # 4 bytes each, all of them travel
_mount: Final = register("heat_map")


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """What is drawn. Every printed number comes from `values`; the colours are coded in 8 bits."""

    values: Float32[np.ndarray, "row column"]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    label: str  # names the figure for screen readers
    caption: str = ""  # model, text, settings: written under exported figures
    title: str = ""
    row_title: str = ""
    column_title: str = ""
    scale: Literal["diverging", "sequential"] = "diverging"  # diverging: zero is the page's colour
    hue: str = "encoder"  # of a sequential scale: encoder decoder cross query key value
    limit: float | None = None  # top of the colour scale; None: the largest |value|
    floor: float = 0.0  # bottom of a sequential scale
    numbers: bool = False  # print each value in its cell, where it fits
    hidden: Bool[np.ndarray, "row column"] | None = None  # masked cells: no colour, no value
    outlined: Bool[np.ndarray, "row column"] | None = None  # chosen cells: an assignment, a path
    row_notes: tuple[str, ...] = ()  # shown on hover: a formula, a wavelength
    column_notes: tuple[str, ...] = ()
    cell: tuple[float, float] | None = None  # (width, height) in px at most
    height: float | None = None  # px at most

    def __post_init__(self) -> None:
        expected = (len(self.rows), len(self.columns))
        if self.values.shape != expected or 0 in expected:
            raise ValueError(f"values are {self.values.shape}, but the labels ask for {expected}")
        if self.values.size > MOST_CELLS:
            raise ValueError(f"{self.values.size} cells are more than {MOST_CELLS}: pool them")
        for notes, count in ((self.row_notes, expected[0]), (self.column_notes, expected[1])):
            if notes and len(notes) != count:
                raise ValueError(f"{len(notes)} notes for {count} rows or columns")


def heat_map(figure: HeatMap, *, key: str, selected: Cell | None = None) -> Cell | None:
    """Draw the matrix; return the selected cell, or `selected` if the reader chose none.

    `selected` seeds the browser's selection and may be what the last call returned.
    """
    n_rows, n_columns = figure.values.shape
    if selected is not None and not (0 <= selected[0] < n_rows and 0 <= selected[1] < n_columns):
        raise ValueError(f"{selected} lies outside a matrix of {figure.values.shape}")
    chosen = Seeded(
        key, "cell", selected or NOWHERE, lambda report: read_cell(report, figure.values.shape)
    )
    frame = heat_map_frame(figure, selected=chosen.seed, serial=chosen.serial)
    _mount(key=key, data=frame, on_cell_change=nothing)
    return None if chosen.choice == NOWHERE else chosen.choice


def heat_map_frame(figure: HeatMap, *, selected: Cell = NOWHERE, serial: int = 1) -> bytes:
    """The byte frame that heat_map/view.js draws; also for the standalone page."""
    header = {
        name: getattr(figure, name)
        for name in (
            "rows", "columns", "label", "caption", "title", "row_title", "column_title", "scale",
            "hue", "numbers", "row_notes", "column_notes", "cell", "height",
        )
    }  # fmt: skip
    shown = figure.values if figure.hidden is None else figure.values[~figure.hidden]
    finite = shown[np.isfinite(shown)]
    largest = float(np.abs(finite).max()) if finite.size else 0.0
    header["limit"] = (figure.limit if figure.limit is not None else largest) or 1.0
    header["floor"] = figure.floor
    header["seed"] = {"serial": serial, "cell": selected}
    arrays = {"values": figure.values}
    if figure.hidden is not None:
        arrays["hidden"] = figure.hidden.astype(np.uint8)
    if figure.outlined is not None:
        arrays["outlined"] = figure.outlined.astype(np.uint8)
    return pack(header, arrays, level=1)  # float32 hardly compress


def read_cell(report: object, shape: tuple[int, ...]) -> Cell | None:
    """The cell that a browser says is selected (NOWHERE for none), or None if it can't be."""
    match report:
        case [-1, -1]:
            return NOWHERE
        case [int(row), int(column)] if 0 <= row < shape[0] and 0 <= column < shape[1]:
            return row, column
        case _:
            return None
