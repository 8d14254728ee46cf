"""What a rollout is asked: from which token, how heads are fused, how much is kept or dropped."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from app import links
from app.views.vision import state
from app.views.vision.inputs import Chosen
from core.explain.rollout import FUSIONS, HeadFusion
from core.trace import Trace

WHOLE: Final = -1  # the last frame: the whole rollout

FROM = links.choice("rofrom", ["auto", "token", "mean", "pool"])
RESIDUAL = links.number("rores", 0.0, 1.0, 0.5)
FUSION = links.choice("rofuse", list(FUSIONS))
DISCARD = links.number("rodrop", 0.0, 0.95, 0.0)
START = links.number("rostart", 0, 199, 0)
AT = links.number("roat", WHOLE, 199, WHOLE)
SCALE = links.choice("roscale", ["layer", "film"])
PARAMS = (FROM, RESIDUAL, FUSION, DISCARD, START, AT, SCALE)
SCALES: Final = {"layer": "per layer", "film": "same for all layers"}


@dataclass(frozen=True)
class Settings:
    """One rollout's."""

    origin: str  # token, mean or pool
    token: int  # prefix tokens first, then patches; of origin "token"
    residual: float
    fusion: HeadFusion
    discard: float
    start: int
    scale: str


def draw(chosen: Chosen, trace: Trace) -> Settings:
    """The controls in one row."""
    layers = trace.n_layers()
    state.put(START, min(state.get(START), layers - 1))
    columns = st.columns([5, 4, 4, 4, 4], gap="medium", vertical_alignment="bottom")
    with columns[0]:
        origin, token = _choose_origin(chosen, trace)
    with columns[1]:
        st.slider(
            "Residual weight",
            0.0,
            1.0,
            step=0.05,
            key=state.key(RESIDUAL),
            help="The share of the identity in Â: ½ counts the residual connection as much as the "
            "attention, 0 is attention alone, 1 the identity.",
        )
    with columns[2]:
        st.segmented_control(
            "Heads fused by",
            list(FUSIONS),
            key=state.key(FUSION),
            required=True,
            help="One map of all heads of a layer; its rows are made to sum to one again.",
        )
    with columns[3]:
        st.slider(
            "Discarded",
            0.0,
            0.95,
            step=0.05,
            key=state.key(DISCARD),
            format="percent",
            help="So many of each layer's smallest weights are set to zero before its rows are "
            "made to sum to one.",
        )
    with columns[4]:
        if layers > 1:
            st.slider("First layer", 0, layers - 1, key=state.key(START))
    return Settings(
        origin,
        token,
        state.get(RESIDUAL),
        state.get(FUSION),
        state.get(DISCARD),
        state.get(START),
        state.get(SCALE),
    )


def keep_token(token: int | None) -> None:
    """A token was clicked in the film; Escape goes back to where the answer begins."""
    state.put(FROM, "auto" if token is None else "token")
    if token is not None:
        state.put(state.TOKEN, token)


def _choose_origin(chosen: Chosen, trace: Trace) -> tuple[str, int]:
    """Where the row begins; without a class token, at the mean of all patches' rows."""
    prefix: tuple[str, ...] = chosen.seen.prefix
    origin, token = _resolved(prefix, trace)
    options = {f"token {index}": name for index, name in enumerate(prefix)}
    options["mean"] = "all patches, their mean"
    if trace.pool is not None:
        options["pool"] = "the attention pool's query"
    if origin == "token" and token >= len(prefix):
        options[f"token {token}"] = token_name(token, chosen)
    key = f"{state.PAGE}.ro-origin"
    st.session_state[key] = f"token {token}" if origin == "token" else origin

    def take() -> None:
        kind, _, number = st.session_state[key].partition(" ")
        state.put(FROM, kind)
        if number:
            state.put(state.TOKEN, int(number))

    st.selectbox(
        "From",
        list(options),
        format_func=options.__getitem__,
        key=key,
        on_change=take,
        help="Or click a patch of the picture, or a prefix token above it.",
    )
    return origin, token


def _resolved(prefix: tuple[str, ...], trace: Trace) -> tuple[str, int]:
    """What "auto" means for this model, and a token that it has."""
    origin, token = state.get(FROM), state.get(state.TOKEN)
    grid = trace.patches
    count = len(prefix) + (grid.rows * grid.columns if grid else 0)
    if origin == "auto":
        pool_or_mean = "mean" if trace.pool is None else "pool"
        return ("token", prefix.index("[CLS]")) if "[CLS]" in prefix else (pool_or_mean, 0)
    if origin == "pool" and trace.pool is None:
        return "mean", 0
    return origin, min(token, count - 1)


def token_name(token: int, chosen: Chosen) -> str:
    """A prefix token by its name, a patch by its place, counted from one."""
    prefix: tuple[str, ...] = chosen.seen.prefix
    if token < len(prefix):
        return prefix[token]
    row, column = divmod(token - len(prefix), chosen.seen.grid.columns)
    return f"patch in row {row + 1}, column {column + 1}"
