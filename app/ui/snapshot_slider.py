"""The slider over the kept moments of a training, wherever a figure can be watched forming."""

from typing import Final

import streamlit as st

from app.style.number_format import three
from core.data.snapshots import Moments

END: Final = -1  # the last moment, also as an index: the model as it was shipped


def moment_slider(label: str, training: Moments, *, key: str, width: int | None = None) -> int:
    """The chosen moment, END for the last; the parameter under `key` may come from a link."""
    last = len(training.steps) - 1
    if last == 0:
        return END
    if not END <= st.session_state[key] < last:
        st.session_state[key] = END
    return st.select_slider(
        label,
        [*range(last), END],
        format_func=lambda at: (
            f"step {training.steps[at]:,} ({three(100 * training.fractions[at])} %)"
        ),
        key=key,
        help="Arrow keys go from one snapshot of the training to the next.",
        width=width or "stretch",
    )
