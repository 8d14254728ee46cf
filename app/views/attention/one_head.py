"""One head of many, in a box."""

from collections.abc import Sequence
from typing import cast

import streamlit as st

from app.services.engine import TextTrace
from app.services.shown_maps import HeadId, every_head, valid_heads
from app.ui.options import one_of, option_widget
from app.views.attention import state
from core.trace import AttentionKind


def choose_head(heads: Sequence[HeadId], present: HeadId) -> HeadId:
    """The one that is shown."""
    option_widget(
        st.selectbox,
        "Head",
        heads,
        head_name,
        key=state.HERE.key("one-head"),
        shown=present,
        take=lambda head: state.HEADS.put((cast("HeadId", head),)) if head else None,
    )
    return present


def head_name(head: HeadId) -> str:
    return f"{head[0]}.{head[1]}"


def pick_head(traced: TextTrace, kind: AttentionKind) -> HeadId:
    """The page's own: the front one of those that are drawn, or another that is chosen here."""
    every = every_head(traced, kind)
    state.HEADS.put(valid_heads(traced, kind, state.HEADS.among(every))[-1:])
    own = state.HEADS.value
    one_of(
        state.HEADS,
        st.selectbox,
        "Head",
        [(head,) for head in every],
        lambda heads: f"layer {heads[0][0]} · head {heads[0][1]}",
        width=180,
    )
    return (state.HEADS.value or own)[0]
