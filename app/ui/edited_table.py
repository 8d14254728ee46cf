"""A table that a reader edits, of what a parameter holds.

The browser sends its edits of the table that it was given. So the same table is given again until
what it shows is changed from elsewhere, by a link, an example or a drag; then a new one begins.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

import streamlit as st


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """What the browser has: `left` is the state that the reader's edits came to."""

    table: Any  # a data frame: of columns, Streamlit would make two a run
    version: int
    left: object = None


class EditedTable:
    """Known by `key`; `state` is all that its cells follow from."""

    def __init__(self, key: str, state: object) -> None:
        self._slot, self._state = f"{key}:table", state

    def edit(
        self, columns: Callable[[], Mapping[str, Sequence[Any]]], **more: Any
    ) -> dict[str, list[Any]]:
        """Draw it; the cells of each column now. An empty one is None, NaN or missing."""
        given = cast("_Given", st.session_state.get(self._slot, _Given(None, 0)))
        if given.table is None or given.left != self._state:
            table = import_module("pandas").DataFrame(columns())
            given = _Given(table, given.version + 1, self._state)
            st.session_state[self._slot] = given
        draw = cast("Callable[..., Any]", st.data_editor)  # pandas has no types here
        edited = draw(
            given.table, key=f"{self._slot}.{given.version}", hide_index=True, row_height=32, **more
        )
        return {name: edited[name].tolist() for name in edited}

    def leave(self, state: object) -> None:
        """With what the edits came to: while it stays so, the table does."""
        given = cast("_Given", st.session_state[self._slot])
        st.session_state[self._slot] = _Given(given.table, given.version, state)
