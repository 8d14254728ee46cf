"""A model that was chosen and can't be had: the one that stood there before comes back."""

from collections.abc import Collection
from typing import Final

import streamlit as st

from app.ui.params import Param

PICKED: Final = "picked.models"  # the parameter that holds a model, by the model's id


def picked(param: Param[str], *, opened: bool) -> None:
    """A page shows the parameter's model; `opened`: which needs no network."""
    st.session_state.setdefault(PICKED, {})[param.value] = param.key
    latest = _latest(param)
    if opened and param.value not in latest[:1]:
        st.session_state[f"{param.key}:opened"] = (param.value, *latest[:1])


def withdraw(model_id: str, reason: str) -> None:
    """Draw the page again with the model that stood there before; nothing, if there was none.

    For a model that a picker offers and that can't be had: the figure stays.
    """
    key = st.session_state.get(PICKED, {}).get(model_id)
    vain: dict[str, str] = st.session_state.setdefault(f"{key}:vain", {})
    if key is not None and st.session_state.get(key) == model_id and model_id not in vain:
        vain[model_id] = reason
        st.rerun(scope="app")


def not_reached(param: Param[str], offered: Collection[str]) -> tuple[str, ...]:
    """Why models that were chosen are not shown; another one is in their place.

    Where that can't be had either, the choice stands, and the page says why nothing is shown: no
    model that nobody asked for is opened.
    """
    vain: dict[str, str] = st.session_state.get(f"{param.key}:vain", {})
    if param.value in vain:
        before = (name for name in (*_latest(param), param.default) if name in offered)
        other = next((name for name in before if name not in vain), None)
        if other is None:
            param.put(next(iter(vain)))
            return ()
        param.put(other)
    return tuple(vain.values())


def try_again(param: Param[str]) -> None:
    """Another model was chosen, or the same again."""
    st.session_state.pop(f"{param.key}:vain", None)


def _latest(param: Param[str]) -> tuple[str, ...]:
    """The model on show, and the one before it."""
    return st.session_state.get(f"{param.key}:opened", ())
