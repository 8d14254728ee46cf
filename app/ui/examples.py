"""Chips that put an example in place."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import streamlit as st

Example = TypeVar("Example")


def example_chips(
    examples: Mapping[str, Example],
    take: Callable[[Example], None],
    *,
    key: str,
    label: str = "Examples",
) -> None:
    """One chip an example, by its name; a click hands it to `take`, and the chip comes up again."""

    def taken() -> None:
        if (chosen := st.session_state[key]) in examples:
            take(examples[chosen])
        st.session_state[key] = None

    st.pills(label, list(examples), key=key, on_change=taken, label_visibility="collapsed")
