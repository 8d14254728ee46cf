"""Which model: the picker that every text page shares."""

from collections.abc import Sequence
from typing import Protocol

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.services import engine
from app.style.markdown_escape import plain
from app.ui import params
from core.catalog import Family, ModelCard


class PageState(Protocol):
    """A page's state module: its name, and the parameter that holds the model's id."""

    @property
    def PAGE(self) -> str: ...  # noqa: N802 - a module's constant

    @property
    def MODEL(self) -> params.Param: ...  # noqa: N802


def choose_model(
    page: PageState, families: Sequence[Family], *, notices: DeltaGenerator | None = None
) -> ModelCard:
    """The select box, and the chosen model's card as it is known before opening.

    What a link asked in vain, and what is wrong with the server's own directories, is said in
    `notices`, or above the select box.
    """
    models = engine.text_models()
    by_id = {card.id: card for card in models.cards if card.family in families}
    key = f"{page.PAGE}.{page.MODEL.name}"
    unknown = f"{page.PAGE}.unknown-model"
    if st.session_state[key] not in by_id:
        st.session_state[unknown] = st.session_state[key]
        default = page.MODEL.default
        st.session_state[key] = default if default in by_id else next(iter(by_id))
    with notices or st.container():
        if asked := st.session_state.get(unknown):
            title = by_id[st.session_state[key]].title
            st.info(f"There is no model “{plain(asked)}” here; showing {plain(title)} instead.")
        for problem in models.problems:
            st.warning(f"A directory of {engine.OWN_CHECKPOINTS} can't be used. {plain(problem)}")
    chosen = st.selectbox(
        "Model",
        list(by_id),
        format_func=lambda name: _title(by_id[name]),
        key=key,
        on_change=lambda: st.session_state.pop(unknown, None),
    )
    return by_id[chosen]


def _title(card: ModelCard) -> str:
    size = f" · {card.size}" if card.parameters else ""  # a directory's is known once it is open
    network = " · needs a network" if engine.needs_network(card) else ""
    return f"{card.title}{size}{network}"
