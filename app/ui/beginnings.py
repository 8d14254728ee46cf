"""A page that is as it begins has a bare link: what its first example put in place stays out.

Together these values are what the bare link gives, so all of them are left out, or none.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import streamlit as st

from app.content.lessons import FILE
from app.ui import embedded, prediction, projector, room
from app.ui.param import Param

LIGHT: Final = (prediction.PARAM, projector.PARAM, embedded.PARAM, room.PARAM)  # how it is seen
SWITCHES: Final = ("lesson", "view", "part")  # what is shown, not how


def is_bare(link: Mapping[str, str]) -> bool:
    """Whether a link says nothing but what is shown."""
    return link.keys() <= {*SWITCHES, FILE, *LIGHT}


def note(page: str, *, untouched: bool) -> None:
    """On entering: whether the link said nothing but what is shown."""
    st.session_state[_key(page)] = "pending" if untouched else None


def link_says(page: str, path: str, params: Sequence[Param[Any]]) -> dict[str, str]:
    """What the link has to say of the parameters, once the view at `path` is drawn."""
    written = {param.name: text for param in params if (text := param.written) is not None}
    if st.session_state.get(_key(page)) == "pending":
        st.session_state[_key(page)] = (path, written)
    if st.session_state.get(_key(page)) != (path, written):
        return written
    return {name: text for name, text in written.items() if name in SWITCHES}


def _key(page: str) -> str:
    return f"beginning.{page}"
