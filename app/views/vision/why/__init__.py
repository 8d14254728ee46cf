"""Being built."""

import streamlit as st

from app.quiet_row import Export

LEAD = "Being built."
PARAMS = ()


def render() -> Export | None:
    """Nothing yet."""
    st.caption("Being built.")
