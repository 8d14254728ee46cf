"""A page of Streamlit's own with many elements of one kind: see streamlit_alone.py."""

from collections.abc import Callable
from typing import Final

import streamlit as st

COUNT: Final = 20
CHART: Final = {"data": [{"type": "scatter", "x": [*range(30)], "y": [*range(30)]}], "layout": {}}
KINDS: Final[dict[str, Callable[[str], object]]] = {
    "none": lambda _: None,
    "markdown": lambda key: st.markdown(f"**{key}**"),
    "container": lambda key: st.container(key=key),
    "two columns": lambda _: st.columns(2),
    "slider": lambda key: st.slider(key, 0, 10, 5, key=key),
    "number input": lambda key: st.number_input(key, 0, 10, 5, key=key),
    "segmented control": lambda key: st.segmented_control(key, ["a", "b"], default="a", key=key),
    "selectbox": lambda key: st.selectbox(key, ["a", "b"], key=key),
    "toggle": lambda key: st.toggle(key, key=key),
    "button": lambda key: st.button(key, key=key),
    "plotly chart": lambda key: st.plotly_chart(CHART, key=key),
    "data frame": lambda key: st.dataframe({"a": [1, 2], "b": ["x", "y"]}, key=key),
}

if __name__ == "__main__":
    for number in range(COUNT):
        KINDS[st.query_params.get("kind", "none")](f"element {number}")
