"""A table, from its columns or its rows, as Arrow writes them.

Streamlit would make a data frame of pandas's of them first: a millisecond.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import streamlit as st

Columns = Mapping[str, Any]  # sequences of cells


def data_table(cells: Columns | Sequence[Mapping[str, Any]], **more: Any) -> None:
    """`st.dataframe`: a reader can sort it, search in it and take it along."""
    st.dataframe(_arrow(cells), hide_index=True, **more)


def plain_table(columns: Columns) -> None:
    """`st.table`: all of it, as text."""
    st.table(_arrow(columns), hide_index=True)


def _arrow(cells: Columns | Sequence[Mapping[str, Any]]) -> Any:
    pa: Any = import_module("pyarrow")  # with the first table: no first screen needs it
    columns = cells if isinstance(cells, Mapping) else _columns(cells)
    try:
        return pa.table(
            {name: pa.array(column, from_pandas=True) for name, column in columns.items()}
        )
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return columns  # several types in one: pandas makes it text


def _columns(rows: Sequence[Mapping[str, Any]]) -> Columns:
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
