"""Any matrix or strip of numbers on one canvas: hover reads a value, a click selects a cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from jaxtyping import Bool, Float32

from app.components.frame import pack
from app.components.head_grid.names import HeadNames
from app.components.mount import register
from app.components.selection import Seed, Selection, clicked_value, clicks

Cell = tuple[int, int]  # (row, column)
Texts = tuple[tuple[str, ...], ...]  # one a cell
NOWHERE: Final = (-1, -1)  # how the browser says that nothing is selected
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
    blank: bool = False  # nothing is told yet: no scale, no values
    words: Texts = ()  # printed instead: what each cell stands for
    cell_notes: Texts = ()  # shown on hover
    hidden: Bool[np.ndarray, "row column"] | None = None  # masked cells: no colour, no value
    outlined: Bool[np.ndarray, "row column"] | None = None  # chosen cells: an assignment, a path
    row_notes: tuple[str, ...] = ()  # shown on hover: a formula, a wavelength
    column_notes: tuple[str, ...] = ()
    row_ids: tuple[int, ...] = ()  # of rows that are tokens, told on hover; −1: it is none
    column_ids: tuple[int, ...] = ()
    names: HeadNames | None = None  # of layers by heads: a tag on every head that has one
    cell: tuple[float, float] | None = None  # (width, height) in px at most
    height: float | None = None  # px at most

    def __post_init__(self) -> None:
        expected = (len(self.rows), len(self.columns))
        if self.values.shape != expected or 0 in expected:
            raise ValueError(f"values are {self.values.shape}, but the labels ask for {expected}")
        if self.values.size > MOST_CELLS:
            raise ValueError(f"{self.values.size} cells are more than {MOST_CELLS}: pool them")
        of_rows, of_columns = (self.row_notes, self.row_ids), (self.column_notes, self.column_ids)
        for every, count in zip((of_rows, of_columns), expected, strict=True):
            for told in every:
                if told and len(told) != count:
                    raise ValueError(f"{len(told)} notes or ids for {count} rows or columns")
        for texts in (self.words, self.cell_notes):
            if texts and [len(row) for row in texts] != [expected[1]] * expected[0]:
                raise ValueError(f"texts are not of {expected[0]} rows of {expected[1]}")
        if self.names and {expected[1]} != {len(row) for row in self.names.named}:
            raise ValueError(f"names are not of {expected[0]} layers of {expected[1]} heads")


def pick_cell(figure: HeatMap, *, key: str) -> None:
    """Draw a matrix whose cells are clicked without staying selected: `clicked_cell` says which."""
    rows, columns = figure.values.shape
    number = clicks(key, (rows, columns, figure.label))
    _mount(key=key, data=heat_map_frame(figure, clicks=number, picks=True))


def clicked_cell(key: str, shape: tuple[int, int]) -> Cell | None:
    """The cell of such a matrix that was clicked just now."""
    cell = clicked_value(key, lambda report: read_cell(report, shape))
    return None if cell == NOWHERE else cell


def heat_map(figure: HeatMap, *, key: str, selected: Cell | None = None) -> Cell | None:
    """Draw the matrix; return what `selected_cell` does."""
    n_rows, n_columns = figure.values.shape
    if selected is not None and not (0 <= selected[0] < n_rows and 0 <= selected[1] < n_columns):
        raise ValueError(f"{selected} lies outside a matrix of {figure.values.shape}")
    found = cell_selection(key, selected, (n_rows, n_columns))
    _mount(key=key, data=heat_map_frame(figure, seed=found.seed))
    return None if found.value == NOWHERE else found.value


def selected_cell(key: str, present: Cell | None, shape: tuple[int, int]) -> Cell | None:
    """The cell that is selected now, of a matrix of this shape, before it is drawn or after.

    `present` seeds the browser's selection, and may be what an earlier call returned.
    """
    value = cell_selection(key, present, shape).value
    return None if value == NOWHERE else value


def cell_selection(key: str, present: Cell | None, shape: tuple[int, int]) -> Selection[Cell]:
    """The same with its seed; NOWHERE stands for no cell."""
    return Selection(key, present or NOWHERE, lambda report: read_cell(report, shape))


def heat_map_frame(
    figure: HeatMap, *, seed: Seed[Cell] | None = None, clicks: int = 0, picks: bool = False
) -> bytes:
    """The byte frame that heat_map/view.js draws; also for the standalone page."""
    header = {
        name: getattr(figure, name)
        for name in (
            "rows", "columns", "label", "caption", "title", "row_title", "column_title", "scale",
            "hue", "numbers", "blank", "words", "cell_notes", "row_notes", "column_notes",
            "row_ids", "column_ids", "cell", "height",
        )
    }  # fmt: skip
    shown = figure.values if figure.hidden is None else figure.values[~figure.hidden]
    finite = shown[np.isfinite(shown)]
    largest = float(np.abs(finite).max()) if finite.size else 0.0
    header["limit"] = (figure.limit if figure.limit is not None else largest) or 1.0
    header["floor"] = figure.floor
    header["names"] = figure.names
    header |= {"selection": (seed or Seed(NOWHERE)).header, "clicks": clicks, "picks": picks}
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
