"""Which model: the picker that every text page shares."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.services import models
from app.style.markdown_escape import plain
from app.ui import input_line
from app.ui.options import one_of
from app.ui.params import Param
from core.catalog import ModelCard

PICKED: Final = "picked.models"  # the parameter that holds a model, by the model's id


def pick_model(
    param: Param[str],
    cards: Sequence[ModelCard],
    *,
    problems: Sequence[str] = (),
    notices: DeltaGenerator | None = None,
    label: str = "Model",
) -> ModelCard | None:
    """The select box, and the chosen model's card as it is known before opening.

    What a link asked in vain, and `problems` of the server's own directories, are said in
    `notices`, or below the input's line. None, after saying so, where there is no such model.
    """
    by_id = {card.id: card for card in cards}
    unknown = param.unknown
    vain = _settled(param, by_id)
    with notices or input_line.notices():
        if not by_id:
            st.info(
                "No model of this kind is on board. Name a checkpoint directory in "
                f"{models.OWN_CHECKPOINTS} to see it here."
            )
        elif asked := st.session_state.get(unknown):
            title = by_id[param.value].title
            st.info(f"There is no model “{plain(asked)}” here; showing {plain(title)} instead.")
        for reason in vain:
            st.warning(
                f"{plain(reason)} Still shown: {plain(by_id[param.value].title)}.",
                icon=":material/info:",
            )
        for problem in problems:
            st.warning(f"A directory of {models.OWN_CHECKPOINTS} can't be used. {plain(problem)}")
    if not by_id:
        return None
    one_of(
        param,
        st.selectbox,
        label,
        by_id,
        lambda name: _title(by_id[name]),
        changed=lambda: _forget(param),
    )
    st.session_state.setdefault(PICKED, {})[param.value] = param.key
    if not models.needs_network(by_id[param.value]):
        st.session_state[f"{param.key}:opened"] = param.value
    return by_id[param.value]


def model_title(param: Param[str], cards: Sequence[ModelCard]) -> str:
    """The name of the model that `pick_model` will show; "" where there is none."""
    by_id = {card.id: card for card in cards}
    _settled(param, by_id)
    return by_id[param.value].title.removesuffix(" (trained here)") if by_id else ""


def withdraw(model_id: str, reason: str) -> None:
    """Draw the page again with the model that stood there before; nothing, if there was none.

    For a model that a picker offers and that can't be had: the figure stays.
    """
    key = st.session_state.get(PICKED, {}).get(model_id)
    vain: dict[str, str] = st.session_state.setdefault(f"{key}:vain", {})
    if key is not None and st.session_state.get(key) == model_id and model_id not in vain:
        vain[model_id] = reason
        st.rerun(scope="app")


def _settled(param: Param[str], by_id: Mapping[str, ModelCard]) -> tuple[str, ...]:
    """Put a model in place that there is; returns why models that were chosen are not shown."""
    vain = _not_reached(param, by_id)
    if by_id and param.value not in by_id:
        if param.value != param.default:
            st.session_state[param.unknown] = param.value
        param.put(param.default if param.default in by_id else next(iter(by_id)))
    return vain


def _not_reached(param: Param[str], by_id: Mapping[str, ModelCard]) -> tuple[str, ...]:
    """Why models that were chosen are not shown; another one is in their place."""
    vain: dict[str, str] = st.session_state.get(f"{param.key}:vain", {})
    if param.value in vain:
        opened: str = st.session_state.get(f"{param.key}:opened", param.default)
        wanted = (opened, param.default, *by_id)
        others = [name for name in wanted if name in by_id and name not in vain]
        if not others:
            return ()
        param.put(others[0])
    return tuple(vain.values())


def _forget(param: Param[str]) -> None:
    """Another model was chosen, or the same again: it is tried."""
    for note in (param.unknown, f"{param.key}:vain"):
        st.session_state.pop(note, None)


def _title(card: ModelCard) -> str:
    size = f" · {card.size}" if card.parameters else ""  # a directory's is known once it is open
    network = " · needs a network" if models.needs_network(card) else ""
    return f"{card.title}{size}{network}"
