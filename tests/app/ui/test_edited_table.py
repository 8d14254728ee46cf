"""A table that is edited: begun anew only where something else changed what it shows."""

from collections.abc import Mapping
from typing import Any

import pytest
import streamlit as st

from app.ui.edited_table import EditedTable


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Key and data of every table drawn; a reader has written 7 over the first cell of "n"."""
    found: list[tuple[str, Any]] = []

    def data_editor(table: Any, *, key: str, **_: object) -> Any:
        found.append((key, table))
        edited = table.copy()
        edited.loc[0, "n"] = 7.0
        return edited

    monkeypatch.setattr(st, "data_editor", data_editor)
    monkeypatch.setattr(st, "session_state", {})
    return found


def edit(state: object, cells: Mapping[str, list[Any]], left: object) -> dict[str, list[Any]]:
    table = EditedTable("page.rows", state)
    edited = table.edit(lambda: cells)
    table.leave(left)
    return edited


def test_the_cells_as_they_are_now(drawn: list[tuple[str, Any]]):
    cells = {"class": ["cat", None], "n": [1.0, 2.0]}
    edited = edit("as it was", cells, "edited")
    assert edited["n"] == [7.0, 2.0]
    assert edited["class"][0] == "cat"
    assert not isinstance(edited["class"][1], str)
    assert len(drawn) == 1


def test_the_same_table_stays_while_only_the_reader_edits(drawn: list[tuple[str, Any]]):
    edit("as it was", {"n": [1.0]}, "edited")
    edit("edited", {"n": [7.0]}, "edited")
    (first, table), (second, again) = drawn
    assert first == second
    assert again is table


def test_a_state_from_elsewhere_begins_another(drawn: list[tuple[str, Any]]):
    edit("as it was", {"n": [1.0]}, "edited")
    edit("a link's", {"n": [3.0]}, "edited again")
    (first, _), (second, table) = drawn
    assert first != second
    assert table["n"].tolist() == [3.0]


def test_a_run_cut_short_before_it_left_keeps_the_table(drawn: list[tuple[str, Any]]):
    EditedTable("page.rows", "as it was").edit(lambda: {"n": [1.0]})
    EditedTable("page.rows", "as it was").edit(lambda: {"n": [1.0]})
    assert drawn[0] == (drawn[1][0], drawn[0][1])
    assert drawn[0][1] is drawn[1][1]
