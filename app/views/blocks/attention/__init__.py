"""Attention from scratch: three to six tokens, every step on the table."""

import streamlit as st

from app.views.blocks.exports import Export

LEAD = "Queries meet keys, the softmax shares out, values are mixed: change any number and see."
PARAMS = ()


def render() -> Export | None:
    st.caption("coming")
    return None
