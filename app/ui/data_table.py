"""A table, from its columns or its rows, as Arrow writes them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import streamlit as st

Columns = Mapping[str, Any]  # sequences of cells


def data_table(cells: Columns | Sequence[Mapping[str, Any]], **more: Any) -> None:
    """`st.dataframe`, which would make a data frame of pandas's of them first: a millisecond."""
    pa: Any = import_module("pyarrow")  # with the first table: no first screen needs it
    columns = cells if isinstance(cells, Mapping) else _columns(cells)
    table = columns
    with suppress(pa.ArrowInvalid, pa.ArrowTypeError):  # several types in one: pandas makes it text
        arrays = {name: pa.array(column, from_pandas=True) for name, column in columns.items()}
        table = pa.table(arrays)
    st.dataframe(table, hide_index=True, **more)


def _columns(rows: Sequence[Mapping[str, Any]]) -> Columns:
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
