"""In another site's frame: the answer, the figure, perhaps its controls, and the way to the app.

Streamlit's own `embed=true` in a link says so, and `embed_options=dark_theme` or `light_theme`.
"""

from typing import Final

import streamlit as st
from streamlit import config

from app.components.embed_stage import embed_stage

PARAM: Final = "controls"  # in links
STATE: Final = "embedded.controls"


def is_on() -> bool:
    return bool(st.context.is_embedded)


def stage() -> None:
    """Once a run, before the page; a link with controls=1 keeps them."""
    asked = st.query_params.get(PARAM) == "1"
    if is_on():
        embed_stage(controls=bool(st.session_state.setdefault(STATE, asked)))


def oembed_at() -> str:
    """Where a frame is asked for (app/web/oembed.py)."""
    return f"/{config.get_option('server.baseUrlPath').strip('/')}/oembed".replace("//", "/")


def in_link() -> dict[str, str]:
    """What a page's link says of it."""
    return {PARAM: "1"} if is_on() and st.session_state.get(STATE) else {}
