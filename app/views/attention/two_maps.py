"""Two maps on the same rows and columns: side by side on one scale, or their signed difference."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, selected_cell
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui.chosen_words import InText, pair_in
from app.ui.export_bar import Table
from app.ui.param import Param
from app.ui.param_values import Cell
from app.ui.params import Scope

Shown = Literal["difference", "both"]
SHOWN: Final[dict[Shown, str]] = {"difference": "difference", "both": "both maps"}
CELL_SIZE: Final = (44.0, 34.0)  # px at most
HEIGHT: Final = 430.0  # px at most: a map stands on the first screen whole


@dataclass(frozen=True, slots=True, eq=False)
class TwoMaps:
    """One head of each of two sentences or models, over the rows and columns that both have."""

    first: np.ndarray  # (row, column)
    second: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    titles: tuple[str, str]  # of the two
    caption: str
    hue: str  # the kind of attention
    rest: str = ""  # what the last column is in a sentence, where it is no token
    hidden: np.ndarray | None = None  # (row, column): what no mask lets be looked at
    row_ids: tuple[int, ...] = ()  # of rows that are tokens of one vocabulary
    column_ids: tuple[int, ...] = ()  # −1: no token

    @property
    def difference(self) -> np.ndarray:
        return self.second - self.first

    def told(self, column: int) -> str:
        """A column in a sentence."""
        last = column == len(self.columns) - 1
        return self.rest if last and self.rest else name(self.columns[column])

    @property
    def moved(self) -> np.ndarray:
        """(row,): the share of each row that lies elsewhere in the second."""
        return np.minimum(np.abs(self.difference).sum(axis=1) / 2, 1)


def draw(two: TwoMaps, shown: Shown, cell: Param[Cell | None], scope: Scope) -> HeatMap:
    """The figure, and below it the chosen cell's numbers; returns what an offline page holds."""
    keys = [scope.key("difference")] if shown == "difference" else _keys(scope)
    chosen = InText(cell, pair_in(two.rows, two.columns), figures=tuple(keys))
    selected = chosen.value
    for key in keys:  # whichever map was clicked, both show the cell
        selected = selected_cell(key, selected, two.first.shape)
    chosen.put(selected)
    if shown == "difference":
        figure = _difference(two)
        heat_map(figure, key=keys[0], selected=selected)
    else:
        figure, other = _both(two)
        sides = zip(st.columns(2, gap="medium"), (figure, other), keys, strict=True)
        for place, one, key in sides:
            with place:
                heat_map(one, key=key, selected=selected)
    st.markdown(_of_cell(two, selected))
    return figure


def table(two: TwoMaps) -> Table:
    """A line a cell."""
    header = ("query", "query_token", "key", "key_token", "first", "second", "difference")
    return header, _lines(two)


def most_moved(two: TwoMaps) -> tuple[int, float]:
    """The row of which most lies elsewhere in the second, and the share."""
    row = int(two.moved.argmax())
    return row, float(two.moved[row])


def name(label: str) -> str:
    """A token in a sentence."""
    return f"*{plain(visible(label))}*"


def _keys(scope: Scope) -> list[str]:
    return [scope.key("first"), scope.key("second")]


def _difference(two: TwoMaps) -> HeatMap:
    first, second = two.titles
    return HeatMap(
        values=two.difference,
        rows=two.rows,
        columns=two.columns,
        label=f"{second} minus {first}: who looks by who is looked at",
        caption=two.caption,
        title=f"{second} − {first}",
        row_title="looks",
        column_title="is looked at",
        row_ids=two.row_ids,
        column_ids=two.column_ids,
        hidden=two.hidden,
        row_notes=tuple(f"{three(float(share))} of its row moves" for share in two.moved),
        cell=CELL_SIZE,
        height=HEIGHT,
    )


def _both(two: TwoMaps) -> tuple[HeatMap, HeatMap]:
    limit = max(float(two.first.max()), float(two.second.max()))
    first, second = (
        HeatMap(
            values=np.ascontiguousarray(values),
            rows=two.rows,
            columns=two.columns,
            label=f"{title}: who looks by who is looked at",
            caption=two.caption,
            title=title,
            row_title="looks",
            column_title="is looked at",
            row_ids=two.row_ids,
            column_ids=two.column_ids,
            scale="sequential",
            hue=two.hue,
            limit=limit,
            hidden=two.hidden,
            cell=CELL_SIZE,
            height=HEIGHT,
        )
        for values, title in zip((two.first, two.second), two.titles, strict=True)
    )
    return first, second


def _of_cell(two: TwoMaps, cell: Cell | None) -> str:
    if cell is None:
        return "Click a cell: both weights and their difference are said here."
    row, column = cell
    values = [float(values[row, column]) for values in (two.first, two.second)]
    each = " · ".join(
        f"{plain(title)} {three(value)}" for title, value in zip(two.titles, values, strict=True)
    )
    change = float(two.difference[row, column])
    sign = "+" if change > 0 else ""
    return (
        f"{name(two.rows[row])} → {two.told(column)}: {each} · "
        f"difference **{sign}{three(change)}**."
    )


def _lines(two: TwoMaps) -> Iterator[tuple[object, ...]]:
    for row, query in enumerate(two.rows):
        for column, key in enumerate(two.columns):
            values = (two.first, two.second, two.difference)
            numbers = (repr(float(one[row, column])) for one in values)
            yield row, query, column, key, *numbers
