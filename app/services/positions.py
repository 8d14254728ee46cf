"""The positions page's door: models' tables, and forwards with other positions.

Everything that needs a model is asked of the one engine; what follows from a trace is a pure
function in `core.positions`, cached by the request.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.services import engine, models
from app.services.engine import ask, derived, mapped
from app.services.vision import Picture
from core.catalog import Family, ModelCard
from core.engine import Request
from core.interventions import PositionChange
from core.outputs.encoder import MaskPrediction, TokenPrediction
from core.outputs.families import Decoder, Encoder, Positioned, TextModel, VisionModel
from core.positions import (
    Components,
    Equivariance,
    PositionTable,
    order_of,
    principal_components,
)
from core.trace import Encoding, Trace

MOST_ANSWERS: Final = 5
N_COMPONENTS: Final = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model predicts at one place, most probable first."""

    place: str
    candidates: tuple[tuple[str, float], ...]  # token, probability


Asked = tuple[Request[Trace], Future[Trace]]


def cards() -> tuple[ModelCard, ...]:
    """Every model that may have a table of positions, models of pictures last."""
    return (*models.cards(*models.TEXTS), *models.cards(Family.VISION))


def table(model_id: str) -> Future[PositionTable]:
    """The model's own table; the future raises InputError for a model without one."""
    return ask(Positioned.position_table, model_id)


def components(model_id: str, moment: int, vectors: np.ndarray) -> Components:
    """Principal components of a model's first positions at a moment of its training."""
    key = ("components", model_id, moment, len(vectors))
    return derived(key, lambda: principal_components(vectors, N_COMPONENTS))


def trace(model_id: str, text: str, change: PositionChange | None = None) -> Asked:
    """A forward pass, with positions as they are or changed; the future raises InputError."""
    request = Request.of(TextModel.trace, model_id, text, interventions=_changes(change))
    return request, engine.submit(request)


def answers(
    card: ModelCard, text: str, change: PositionChange | None = None
) -> Future[tuple[Answer, ...]]:
    """An encoder's answers at its masks, a decoder's to what comes next.

    The future raises InputError for a text without a mask, or a model without a head.
    """
    changes = _changes(change)
    if card.family == Family.TEXT_ENCODER:
        masks = ask(Encoder.fill_mask, card.id, text, top_k=MOST_ANSWERS, interventions=changes)
        return mapped(masks, lambda found: tuple(map(_at_mask, found)))
    coming = ask(Decoder.next_token, card.id, text, top_k=MOST_ANSWERS, interventions=changes)
    return mapped(coming, lambda found: (Answer("The next token", _pairs(found)),))


def permutation_test(model_id: str, text: str, seed: int) -> Future[Equivariance]:
    """How far the model's states are from moving with their tokens."""
    return ask(TextModel.permutation_test, model_id, text, seed=seed)


def picture_test(model_id: str, picture: Picture, seed: int) -> Future[Equivariance]:
    """How far a picture model's answer is from not minding the order of patches."""
    return ask(VisionModel.permutation_test, model_id, picture, seed=seed)


def other_places(encoding: Encoding, how: str, seed: int) -> tuple[int, ...]:
    """The positions that tokens get; special tokens keep theirs."""
    places = np.arange(len(encoding))
    inner = np.flatnonzero(~encoding.special)
    if how == "reversed":
        places[inner] = inner[::-1]
    else:
        places[inner] = inner[list(order_of(len(inner), seed))]
    return tuple(places.tolist())


def _changes(change: PositionChange | None) -> tuple[PositionChange, ...]:
    return () if change is None else (change,)


def _at_mask(mask: MaskPrediction) -> Answer:
    return Answer(f"Mask, token {mask.position}", _pairs(mask.candidates))


def _pairs(candidates: Sequence[TokenPrediction]) -> tuple[tuple[str, float], ...]:
    return tuple((one.token, one.probability) for one in candidates)
