"""A page's state as a file, long texts included; opening one enters the page as by a link."""

import json
from collections.abc import Mapping
from typing import Final, cast

import streamlit as st

from app.ui.downloads import download
from app.ui.file_field import FileField
from core.errors import InputError

LARGEST: Final = 2  # MB


def session_file(page: str, written: Mapping[str, str]) -> None:
    """Save the state, and open one again."""
    download(
        "Save as a session file",
        json.dumps({"page": page, "state": dict(written)}, ensure_ascii=False, indent=1),
        "glassformer-session.json",
        "application/json",
    )
    field = FileField(f"{page}.session")
    field.ask(
        "A session file saved here",
        lambda name, content: enter(page, _read(page, name, content)),
        types=["json"],
        most=LARGEST,
    )
    if _link(page) in st.session_state:
        st.rerun(scope="app")  # the input stands outside this fragment
    field.tell_problem()


def opened(page: str) -> Mapping[str, str] | None:
    """What a file that was opened just now says, as a link would; None without one."""
    return cast("Mapping[str, str] | None", st.session_state.pop(_link(page), None))


def enter(page: str, link: Mapping[str, str]) -> None:
    """Show the page as this link does, in the next run that draws it; for callbacks."""
    st.session_state[_link(page)] = dict(link)


def _read(page: str, name: str, content: bytes) -> Mapping[str, str]:
    try:
        said = json.loads(content.decode("utf-8"))
        if said["page"] != page:
            raise KeyError(said["page"])
        return {str(name): str(text) for name, text in said["state"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{name} is no session file of this page: save one with “Session” first."
        ) from error


def _link(page: str) -> str:
    return f"session-file.{page}"
