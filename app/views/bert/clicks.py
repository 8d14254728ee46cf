"""What was clicked, known before anything is drawn: so a click costs one run and no rerun.

A rerun in the middle of a fragment can leave Streamlit's browser side with children of a
container that never came (cached messages survive the cleared queue in 1.67).
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.components.heat_map import Cell

SEEN = "bert.cells-seen"


def picked_before(key: str, count: int) -> int | None:
    """Which of `count` entries of a token row or of candidates was clicked to cause this run."""
    index = _reported(key, "pick")
    return index if type(index) is int and 0 <= index < count else None


def newest_cell(keys: Sequence[str], chosen: Cell | None) -> Cell | None:
    """The cell of several heat maps that share one selection: the one that changed last."""
    seen: dict[str, object] = st.session_state.setdefault(SEEN, {})
    for key in keys:
        report = _reported(key, "cell")
        value = report.get("value") if isinstance(report, Mapping) else None
        if value is not None and value != seen.get(key):
            seen[key] = value
            match value:
                case [int(row), int(column)] if row >= 0 and column >= 0:
                    chosen = (row, column)
                case _:
                    chosen = None
    return chosen


def _reported(key: str, field: str) -> object:
    state = st.session_state.get(key)
    return state.get(field) if isinstance(state, Mapping) else None
