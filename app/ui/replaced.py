"""What a link asks and the page can't show is said, with what is shown instead."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.param import Param
from core.errors import InputError

SHORT: Final = 40  # characters of a value that are told
OWN: Final = "its own choice"


@dataclass(frozen=True)
class Asked:
    """One parameter of a link."""

    param: Param[Any]
    text: str
    value: object  # None for nonsense


def ask(page: str, params: Sequence[Param[Any]], link: Mapping[str, str]) -> None:
    """On entering: what a link says, before the view puts anything else in place."""
    found: list[Asked] = []
    for param in params:
        if (text := link.get(param.name)) is not None:
            try:
                found.append(Asked(param, text, param.parse(text)))
            except InputError:
                continue  # told in its own words
    st.session_state[f"{page}.asked"] = found


def tell(page: str) -> None:
    """Once the view is drawn: what it shows instead; said until that is changed."""
    asked: list[Asked] = st.session_state.pop(f"{page}.asked", [])
    differ = [one for one in asked if one.param.value != one.value and not one.param.told]
    key = f"{page}.replaced"
    if differ:
        now = {one.param.key: one.param.value for one in differ}
        st.session_state[key] = (_sentence(differ), now)
    if outdated(page):
        del st.session_state[key]
    elif key in st.session_state:
        st.info(plain(st.session_state[key][0]), icon=":material/info:")


def outdated(page: str) -> bool:
    """Whether the page still says so, though something of it has been changed."""
    _, then = st.session_state.get(f"{page}.replaced", ("", {}))
    return any(st.session_state.get(name) != value for name, value in then.items())


def _sentence(differ: Sequence[Asked]) -> str:
    asks = " and ".join(f"{one.param.name}={one.text[:SHORT]}" for one in differ)
    shown = " and ".join(
        f"{one.param.name}={text[:SHORT]}"
        for one in differ
        if (text := one.param.shown(one.param.value))
    )
    allowed = "; ".join(
        f"{one.param.name}: {one.param.allowed}" for one in differ if one.param.allowed
    )
    return (
        f"The link asks for {asks}, which is not here; the page shows {shown or OWN} instead."
        + f" What there is: {allowed}." * bool(allowed)
    )
