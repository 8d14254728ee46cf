"""The slider over the kept moments of a training, wherever a figure can be watched forming."""

from typing import Final

import streamlit as st

from app.ui.options import one_of
from app.ui.params import Number
from core.data.snapshots import Moments

END: Final = -1  # the last moment, also as an index: the model as it was shipped


def moment_slider(
    label: str, training: Moments, param: Number[int], *, width: int | None = None
) -> int:
    """The chosen moment, END for the last; `param` may come from a link."""
    last = len(training.steps) - 1
    if last == 0:
        return END
    param.below(last)
    return one_of(
        param,
        st.select_slider,
        label,
        [*range(last), END],
        lambda at: f"step {training.steps[at]:,} ({100 * training.fractions[at]:.3g} %)",
        numbers=lambda at: int(training.steps[at]),
        help="Arrow keys go from one snapshot of the training to the next.",
        width=width or "stretch",
    )
