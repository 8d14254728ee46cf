"""Links between pages: by url path and state, without knowing how the pages are made."""

from collections.abc import Mapping

import streamlit as st
from streamlit import config

MADE = "pages.made"


def remember(pages: Mapping[str, object]) -> None:
    """Keep this run's pages, by url path, for `link`."""
    st.session_state[MADE] = dict(pages)


def base() -> str:
    """What every page's path begins with."""
    path = config.get_option("server.baseUrlPath").strip("/")
    return f"/{path}" if path else ""


def go(path: str) -> None:
    """Show another page: this run ends."""
    st.switch_page(st.session_state[MADE][path])


def link(
    path: str, label: str, state: Mapping[str, str] | None = None, icon: str | None = None
) -> None:
    """A link to a page as its parameters make it; plain text while the page is not there."""
    page = st.session_state.get(MADE, {}).get(path)
    if page is None:
        st.caption(f"{label} · coming")
    else:
        st.page_link(page, label=label, icon=icon, query_params=dict(state or {}))
