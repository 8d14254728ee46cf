"""Which cell was clicked where several heat maps share one selection, before they are drawn."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.components.heat_map import Cell
from app.components.mount import reported


def newest_cell(keys: Sequence[str], chosen: Cell | None) -> Cell | None:
    """The cell that changed last in the maps with these keys; else `chosen`."""
    seen: dict[str, object] = st.session_state.setdefault(f"{keys[0]}:seen", {})
    for key in keys:
        report = reported(key, "cell")
        value = report.get("value") if isinstance(report, Mapping) else None
        if value is not None and value != seen.get(key):
            seen[key] = value
            match value:
                case [int(row), int(column)] if row >= 0 and column >= 0:
                    chosen = (row, column)
                case _:
                    chosen = None
    return chosen
