"""Which model: the picker that every text page shares."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.services import models
from app.style.markdown_escape import plain
from app.ui import any_model, input_line, out_of_reach
from app.ui.options import one_of
from app.ui.params import Param
from core.catalog import ModelCard


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
        elif any_model.told(param, by_id[param.value], {card.family for card in cards}):
            pass
        elif asked := st.session_state.get(unknown):
            title = by_id[param.value].title
            st.info(plain(f"{any_model.why_unknown(asked)}; showing {title} instead."))
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
        changed=lambda: any_model.forget(param),
    )
    any_model.any_model_field(param)
    out_of_reach.picked(param, opened=not models.needs_network(by_id[param.value]))
    return by_id[param.value]


def model_title(param: Param[str], cards: Sequence[ModelCard]) -> str:
    """The name of the model that `pick_model` will show; "" where there is none."""
    by_id = {card.id: card for card in cards}
    _settled(param, by_id)
    return by_id[param.value].title.removesuffix(" (trained here)") if by_id else ""


def _settled(param: Param[str], by_id: Mapping[str, ModelCard]) -> tuple[str, ...]:
    """Put a model in place that there is; returns why models that were chosen are not shown."""
    vain = out_of_reach.not_reached(param, by_id)
    if by_id and param.value not in by_id:
        if param.value != param.default:
            if any_model.linked(param):
                st.rerun(scope="app")  # with the model among the cards
            st.session_state[param.unknown] = param.value
        param.put(param.default if param.default in by_id else next(iter(by_id)))
    return vain


def _title(card: ModelCard) -> str:
    size = f" · {card.size}" if card.parameters else ""  # a directory's is known once it is open
    network = " · needs a network" if models.needs_network(card) else ""
    return f"{card.title}{size}{network}"
