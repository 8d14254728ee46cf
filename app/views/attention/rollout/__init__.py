"""Rollout as a film: where a token's information came from, layer after layer, told three ways."""

from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.services import context_mixing, engine, text_maps
from app.services.context_mixing import ONE_STACK, Amounts, Request
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.ui.answer import answer
from app.ui.arrived import Arrived, arriving
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.place import Place
from app.views.attention import state
from app.views.attention.inputs import Read, read_sentence
from app.views.attention.kind import pick_kind
from app.views.attention.rollout import film, params
from app.views.attention.rollout.film import Frames
from core.catalog import ModelCard
from core.errors import InputError
from core.outputs.token_evidence import Mixing
from core.trace import AttentionKind

MOST_TOKENS: Final = 96  # a film holds layers × tokens² numbers a map
MOST_ZEROED: Final = 48  # tokens: Value Zeroing runs the model once a layer and token
MIXINGS: Final[tuple[Mixing, ...]] = ("written", "zeroed")


def render() -> Figure | None:
    """The same sentence as under every head."""
    read = read_sentence()
    return None if read is None else partial(_figure, read)


def _figure(read: Read) -> Export | None:
    """Controls, the film as its maps come, one token's row through the layers."""
    traced, card = read.traced, read.card
    own = [kind for kind in traced.trace.kinds if kind != AttentionKind.CROSS]
    kind = pick_kind(own)
    tokens = text_maps.encodings(traced.trace, kind)[0].tokens
    if len(tokens) > MOST_TOKENS:
        st.info(
            f"The text has {len(tokens)} tokens; up to {MOST_TOKENS} are shown here, since the "
            "film holds a map of all pairs for every layer. Shorten it."
        )
        return None
    said = answer()
    _controls(traced.trace.n_layers(kind))
    try:
        base = context_mixing.attention_frames(
            traced,
            kind,
            fusion=params.FUSION.value,
            start=params.START.value,
            residual=params.RESIDUAL.value,
        )
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    place = Place()
    requests = _requests(card, traced, len(tokens))
    drawn = None
    for arrived in _arriving(requests):
        frames = {params.ATTENTION: base} | {
            name: context_mixing.mixing_frames(
                requests[name], amounts, start=params.START.value, residual=_residual(name)
            )
            for name, amounts in arrived.found.items()
        }
        with place.meanwhile() if arrived.awaited else place.figure():
            drawn = film.draw(
                Frames(card, kind, text_maps.encodings(traced.trace, kind)[0], frames, traced),
                awaited=len(arrived.awaited),
            )
        if not arrived.awaited:
            for reason in dict.fromkeys(arrived.refused.values()):
                st.caption(plain(reason))
    if drawn is None:
        return None
    if card.family in ONE_STACK and len(tokens) > MOST_ZEROED:
        st.caption(
            f"Value Zeroing runs the model once for every layer and token; it is left out beyond "
            f"{MOST_ZEROED} tokens."
        )
    return film.row(drawn, said)


def _controls(layers: int) -> None:
    params.START.kept_below(layers)
    with controls():
        params.RESIDUAL.slider(
            "Residual weight",
            step=0.05,
            help="The share of the identity in Â: ½ counts the residual connection as much as the "
            "attention. Value Zeroing measures what a token keeps, and takes none.",
        )
        params.FUSION.segmented(
            "Heads fused by",
            help="One map of all heads of a layer, for attention; ‖αf(x)‖ adds the heads' vectors.",
        )
        if layers > 1:
            params.START.slider("First layer", high=layers - 1)


def _residual(name: str) -> float:
    """Value Zeroing's maps hold already what a token keeps of itself."""
    return 0.0 if name == "zeroed" else params.RESIDUAL.value


def _requests(card: ModelCard, traced: TextTrace, n: int) -> Mapping[str, Request[Amounts]]:
    """Of a model with one stack."""
    if card.family not in ONE_STACK:
        return {}
    pair = traced.request.arguments.get("pair")
    wanted: list[Mixing] = [mixing for mixing in MIXINGS if mixing != "zeroed" or n <= MOST_ZEROED]
    return {
        mixing: context_mixing.mixing_request(
            card, state.TEXT.value, None if pair is None else str(pair), mixing
        )
        for mixing in wanted
    }


def _arriving(requests: Mapping[str, Request[Amounts]]) -> Iterator[Arrived[Amounts]]:
    with engine.wanted(requests) as futures:
        given: Mapping[str, Future[np.ndarray]] = futures
        yield from arriving(given, tuple(requests), params.TITLES.__getitem__)


VIEW: Final = View("rollout", "Rollout", params.PARAMS, render)
