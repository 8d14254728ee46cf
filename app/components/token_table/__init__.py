"""A token in every cell, shaded by a number: what each layer would say at each place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Float32

from app.components.frame import pack
from app.components.heat_map import NOWHERE, Cell, cell_selection
from app.components.mount import register
from app.components.selection import Seed

MOST_CELLS: Final = 4_000  # each of them is an element of the page
_mount: Final = register("token_table")


@dataclass(frozen=True, slots=True, eq=False)
class TokenTable:
    """What is drawn; shades are exact numbers from 0 to 1, printed on hover."""

    cells: tuple[tuple[str, ...], ...]
    shades: Float32[np.ndarray, "row column"]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    label: str  # names the figure for screen readers
    notes: tuple[tuple[str, ...], ...] = ()  # one a cell, after the shade's number
    marked: Bool[np.ndarray, "row column"] | None = None  # underlined: the wanted token
    row_title: str = ""
    column_title: str = ""
    shade_title: str = ""  # what the shade is
    caption: str = ""
    hue: str = "decoder"
    tokens: bool = True  # white space is made visible; False: the cells are words
    cell_ids: tuple[tuple[int, ...], ...] = ()  # of tokens, told on hover; −1: it is none
    column_ids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        expected = (len(self.rows), len(self.columns))
        if self.shades.shape != expected or any(len(row) != expected[1] for row in self.cells):
            raise ValueError(f"shades are {self.shades.shape}, but the labels ask for {expected}")
        ids = (*self.cell_ids, *((self.column_ids,) if self.column_ids else ()))
        if any(len(row) != expected[1] for row in ids):
            raise ValueError(f"ids are not of {expected[1]} columns")
        if not 0 < self.shades.size <= MOST_CELLS:
            raise ValueError(f"{self.shades.size} cells; up to {MOST_CELLS} are drawn")


def token_table(figure: TokenTable, *, key: str, selected: Cell | None = None) -> Cell | None:
    """Draw the table; return what `heat_map.selected_cell` does."""
    shape = figure.shades.shape
    if selected is not None and not (0 <= selected[0] < shape[0] and 0 <= selected[1] < shape[1]):
        raise ValueError(f"{selected} lies outside a table of {shape}")
    found = cell_selection(key, selected, (shape[0], shape[1]))
    _mount(key=key, data=token_table_frame(figure, seed=found.seed))
    return None if found.value == NOWHERE else found.value


def token_table_frame(figure: TokenTable, *, seed: Seed[Cell] | None = None) -> bytes:
    """The byte frame that token_table/view.js draws; also for the standalone page."""
    names = ("cells", "rows", "columns", "label", "notes", "caption", "hue", "tokens")
    titles = ("row_title", "column_title", "shade_title")
    header = {name: getattr(figure, name) for name in (*names, *titles, "cell_ids", "column_ids")}
    header["selection"] = (seed or Seed(NOWHERE)).header
    arrays = {"shades": figure.shades}
    if figure.marked is not None:
        arrays["marked"] = figure.marked.astype(np.uint8)
    return pack(header, arrays)
