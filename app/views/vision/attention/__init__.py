"""Where does this patch look? One token's attention in every head, on the picture; two models."""

from functools import partial
from typing import Final

import streamlit as st

from app.services import models, vision
from app.services.vision import Picture
from app.services.vision_attention import Traced, token_on
from app.ui import progress
from app.ui.answer import answer
from app.ui.export_bar import Export
from app.ui.page import Drawn, View
from app.views.vision.attention import clicks, controls, exports, film, params, words
from app.views.vision.attention.side import Side, draw_overview, draw_picture, figure_of, side_of
from app.views.vision.inputs import FAMILIES, Chosen, choose, display_of_heads
from app.views.vision.state import SHARED
from core.catalog import ModelCard
from core.outputs.vision import SeenPicture


def render() -> Drawn:
    """Input, then what follows from it."""
    chosen = choose()
    return None if chosen is None else partial(_figure, chosen)


def _figure(chosen: Chosen) -> Export | None:
    """Controls, one model or two."""
    first = _traced(chosen.card, chosen.picture, chosen.seen)
    if first is None:
        return None
    shots = params.FILM.shots(chosen, refusal=_no_film())
    at = film.take_token(first, len(shots)) if shots else None
    if at is None:
        clicks.take_token(first)
    clicks.take_head(first, "", params.LAYER, params.HEAD)
    controls.controls(first)
    token = params.token_of(first)
    side = side_of("", first, token, params.LAYER, params.HEAD)
    answer(words.answered(side.which, first, token, side.shown, side.direction))
    second = _second(chosen.picture, first, token)
    played = None
    if second is None:
        left, right = st.columns([6, 5], gap="large")
        with left:
            draw_overview(side)
        with right:
            params.FILM.switch(chosen, refusal=_no_film())
            if at is not None:
                played = film.draw(side, shots, at)
            if played is None:
                figure = draw_picture(side, two=False)
                controls.scale_controls()
            else:
                figure = figure_of(side)
    else:
        left, right = st.columns(2, gap="large")
        with left:
            figure = draw_picture(side, two=True)
            draw_overview(side)
        with right:
            draw_picture(second, two=True)
            words.second_note(first, second.traced, token)
            draw_overview(second)
        controls.scale_controls()
    return exports.export((side,) if second is None else (side, second), figure, played)


def _no_film() -> str | None:
    """Why frames can't be played now."""
    return "A film is of one model: choose no second one." if params.OTHER_MODEL.value else None


def _traced(card: ModelCard, picture: Picture, seen: SeenPicture) -> Traced | None:
    """The model's trace of the picture, or None after saying why there is none."""
    request, future = vision.trace(card.id, picture)
    trace = progress.outcome(future, card.id)
    return None if trace is None else Traced(card, picture, request, trace, seen)


def _second(picture: Picture, first: Traced, token: int | None) -> Side | None:
    """The second model's side, if one is chosen and has maps."""
    cards = {card.id: card for card in models.cards(*FAMILIES)}
    card = cards.get(params.OTHER_MODEL.value)
    if card is None:
        return None
    seen = progress.outcome(vision.seen(card.id, picture), card.id)
    traced = None if seen is None else _traced(card, picture, seen)
    if traced is None:
        return None
    clicks.take_head(traced, "2", params.OTHER_LAYER, params.OTHER_HEAD)
    there = _same_token(first, traced, token)
    return side_of("2", traced, there, params.OTHER_LAYER, params.OTHER_HEAD)


def _same_token(first: Traced, second: Traced, token: int | None) -> int | None:
    """The second model's token of the same name or place."""
    if token is not None and token < len(first.prefix):
        name = first.prefix[token]
        return second.prefix.index(name) if name in second.prefix else None
    return token_on(second.grid, token, first.grid)


VIEW: Final = View("attention", "Attention", (*SHARED, *params.PARAMS), render, display_of_heads)
