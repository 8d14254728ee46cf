"""Which model: the picker that every text page shares."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.services import models
from app.style.markdown_escape import plain
from app.ui.options import one_of
from app.ui.params import Param
from core.catalog import ModelCard


def pick_model(
    param: Param[str],
    cards: Sequence[ModelCard],
    *,
    problems: Sequence[str] = (),
    notices: DeltaGenerator | None = None,
) -> ModelCard | None:
    """The select box, and the chosen model's card as it is known before opening.

    What a link asked in vain, and `problems` of the server's own directories, are said in
    `notices`, or above the select box. None, after saying so, where there is no such model.
    """
    by_id = {card.id: card for card in cards}
    unknown = f"{param.key}:unknown"
    if by_id and param.value not in by_id:
        if param.value != param.default:
            st.session_state[unknown] = param.value
        param.put(param.default if param.default in by_id else next(iter(by_id)))
    with notices or st.container():
        if not by_id:
            st.info(
                "No model of this kind is on board. Name a checkpoint directory in "
                f"{models.OWN_CHECKPOINTS} to see it here."
            )
        elif asked := st.session_state.get(unknown):
            title = by_id[param.value].title
            st.info(f"There is no model “{plain(asked)}” here; showing {plain(title)} instead.")
        for problem in problems:
            st.warning(f"A directory of {models.OWN_CHECKPOINTS} can't be used. {plain(problem)}")
    if not by_id:
        return None
    one_of(
        param,
        st.selectbox,
        "Model",
        by_id,
        lambda name: _title(by_id[name]),
        changed=lambda: st.session_state.pop(unknown, None),
    )
    return by_id[param.value]


def _title(card: ModelCard) -> str:
    size = f" · {card.size}" if card.parameters else ""  # a directory's is known once it is open
    network = " · needs a network" if models.needs_network(card) else ""
    return f"{card.title}{size}{network}"
