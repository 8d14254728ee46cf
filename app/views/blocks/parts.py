"""A view of several parts, and chips that set several parameters at once."""

from collections.abc import Mapping

import streamlit as st

from app.ui.params import Param
from app.views.blocks.state import PAGE, get, key, put


def choose_part(param: Param, names: Mapping[str, str]) -> str:
    """A second row of choices, below the page's own."""
    st.segmented_control(
        "Part",
        list(names),
        format_func=names.__getitem__,
        key=key(param),
        required=True,
        label_visibility="collapsed",
    )
    return get(param)


def preset_chips(name: str, presets: Mapping[str, Mapping[Param, object]]) -> None:
    """One chip a preset; a click puts its values in place."""
    chips = f"{PAGE}.{name}-preset"

    def take() -> None:
        for param, value in presets.get(st.session_state[chips], {}).items():
            put(param, value)
        st.session_state[chips] = None

    st.pills("Presets", list(presets), key=chips, on_change=take, label_visibility="collapsed")
