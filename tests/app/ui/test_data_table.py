"""A table shows what Streamlit would show of the same cells."""

import math
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

TABLES: dict[str, Any] = {
    "columns": {"piece": ["▁the", "s"], "times": [3, 2], "P": [0.25, 1e-9], "first": [True, False]},
    "rows": [{"norm": "post", "loss": 2.5}, {"norm": "pre", "loss": 1.5}],
    "nothing": [],
    "no row": {"piece": [], "times": []},
    "several types": {"count": [3, "–"], "mean": ["none", 0.5]},
    "holes": {"rank": [1, None], "bits": [math.nan, 2.0], "note": [None, "cased"]},
}


def drawn(cells: object) -> None:
    import streamlit as st  # what a test's script is made of

    from app.ui.data_table import data_table

    data_table(cells)  # type: ignore[arg-type]
    st.dataframe(cells, hide_index=True)  # pyright: ignore


def assert_the_same_cells(ours: pd.DataFrame, theirs: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(
        ours.reset_index(drop=True),
        theirs.reset_index(drop=True),
        check_dtype=False,
        check_column_type=False,
    )


@pytest.mark.parametrize("cells", TABLES.values(), ids=TABLES)
def test_the_same_cells(cells: Any):
    ours, theirs = AppTest.from_function(drawn, args=(cells,)).run().dataframe
    assert_the_same_cells(ours.value, theirs.value)
    assert ours.proto.columns == theirs.proto.columns


def test_a_tables_settings_are_streamlits():
    def script() -> None:
        import streamlit as st

        from app.ui.data_table import data_table

        shown = {"P": st.column_config.NumberColumn(format="%.3f")}
        data_table({"P": [0.5]}, height=280, column_config=shown)

    (table,) = AppTest.from_function(script).run().dataframe
    assert "%.3f" in table.proto.columns


COLUMNS = {name: cells for name, cells in TABLES.items() if isinstance(cells, dict)}


@pytest.mark.parametrize("cells", COLUMNS.values(), ids=COLUMNS)
def test_a_plain_table_has_the_same_cells(cells: Any):
    def script(cells: dict[str, list[object]]) -> None:
        import streamlit as st

        from app.ui.data_table import plain_table

        plain_table(cells)
        st.table(cells)

    ours, theirs = AppTest.from_function(script, args=(cells,)).run().table
    assert_the_same_cells(ours.value, theirs.value)
    assert ours.proto.hide_index
