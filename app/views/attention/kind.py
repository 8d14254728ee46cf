"""Which kind of attention a view shows."""

from collections.abc import Sequence

import streamlit as st

from app.ui.options import one_of
from app.views.attention import state
from core.trace import AttentionKind


def pick_kind(kinds: Sequence[AttentionKind]) -> AttentionKind:
    """One of these, the first where the present one isn't among them; asked for among several."""
    if state.KIND.value not in kinds:
        state.KIND.put(kinds[0].value)
    if len(kinds) > 1:
        one_of(
            state.KIND,
            st.segmented_control,
            "Which attention",
            [kind.value for kind in kinds],
            lambda kind: state.KIND_TITLES[AttentionKind(kind)],
            required=True,
            label_visibility="collapsed",
        )
    return AttentionKind(state.KIND.value)
