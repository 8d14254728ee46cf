"""A page's state as a file, long texts included; opening one enters the page as by a link."""

import json
from collections.abc import Mapping
from typing import Final, cast

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.downloads import download
from app.ui.uploaded import content_of, given_in
from core.errors import InputError

LARGEST: Final = 2  # MB


def session_file(page: str, written: Mapping[str, str]) -> None:
    """Save the state, and open one again."""
    with st.popover("Session", type="tertiary"):
        download(
            "Save as a session file",
            json.dumps({"page": page, "state": dict(written)}, ensure_ascii=False, indent=1),
            "glassformer-session.json",
            "application/json",
        )
        st.file_uploader(
            "A session file saved here",
            type="json",
            max_upload_size=LARGEST,
            key=f"{page}.session",
            on_change=lambda: _take(page),
        )
        if _link(page) in st.session_state:
            st.rerun(scope="app")  # the input stands outside this fragment
        if problem := st.session_state.pop(f"{page}.session-problem", None):
            st.warning(plain(problem))


def opened(page: str) -> Mapping[str, str] | None:
    """What a file that was opened just now says, as a link would; None without one."""
    return cast("Mapping[str, str] | None", st.session_state.pop(_link(page), None))


def enter(page: str, link: Mapping[str, str]) -> None:
    """Show the page as this link does, in the next run that draws it; for callbacks."""
    st.session_state[_link(page)] = dict(link)


def _take(page: str) -> None:
    uploaded = next(iter(given_in(f"{page}.session")), None)
    if uploaded is None:
        return
    try:
        with content_of(uploaded) as file:
            content = json.loads(file.decode("utf-8"))
        if content["page"] != page:
            raise KeyError(content["page"])
        given = {str(name): str(text) for name, text in content["state"].items()}
    except InputError as error:
        st.session_state[f"{page}.session-problem"] = str(error)
    except (ValueError, TypeError, KeyError, AttributeError):
        st.session_state[f"{page}.session-problem"] = (
            f"{uploaded.name} is no session file of this page: save one with “Session file” first."
        )
    else:
        enter(page, given)


def _link(page: str) -> str:
    return f"session-file.{page}"
