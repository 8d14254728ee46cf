"""One head of many, in a box."""

from collections.abc import Sequence
from typing import cast

import streamlit as st

from app.services.shown_maps import HeadId
from app.ui.options import option_widget
from app.views.attention import state


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
