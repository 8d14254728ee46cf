"""The positions page's door: models' tables, and forwards with other positions.

Everything that needs a model is asked of the one engine; what follows from a trace is a pure
function in `core.positions`, cached by the request.
"""

from collections.abc import Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from app.services import engine, vision
from app.services.vision import Picture
from core.catalog import Family, ModelCard
from core.engine import Request
from core.interventions import PositionChange
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


Asked = tuple[Request, Future[Trace]]


def cards() -> tuple[ModelCard, ...]:
    """Every model that may have a table of positions; the hub's picture models last."""
    return (*engine.text_models().cards, *vision.cards())


def table(model_id: str) -> Future[PositionTable]:
    """The model's own table; the future raises InputError for a model without one."""
    return engine.engine().submit(Request(model_id, "position_table"))


def components(model_id: str, moment: int, vectors: np.ndarray) -> Components:
    """Principal components of a model's first positions at a moment of its training."""
    key = ("components", model_id, moment, len(vectors))
    return engine.engine().derived(key, lambda: principal_components(vectors, N_COMPONENTS))


def trace(model_id: str, text: str, change: PositionChange | None = None) -> Asked:
    """A forward pass, with positions as they are or changed; the future raises InputError."""
    arguments: dict[str, Hashable] = {"text": text}
    if change is not None:
        arguments["interventions"] = (change,)
    request = Request(model_id, "trace", arguments)
    return request, engine.engine().submit(request)


def predictions(card: ModelCard, text: str, change: PositionChange | None = None) -> Future[Any]:
    """What `answers` reads; the future raises InputError for a text without a mask, or no head."""
    encoder = card.family == Family.TEXT_ENCODER
    arguments: dict[str, Hashable] = {"text": text, "top_k": MOST_ANSWERS}
    if change is not None:
        arguments["interventions"] = (change,)
    request = Request(card.id, "fill_mask" if encoder else "next_token", arguments)
    return engine.engine().submit(request)


def answers(card: ModelCard, predicted: Any) -> tuple[Answer, ...]:
    """A model's predictions by place: of each mask, or of what comes next."""
    if card.family == Family.TEXT_ENCODER:
        return tuple(
            Answer(
                f"Mask, token {mask.position}",
                tuple((given.token, given.probability) for given in mask.candidates),
            )
            for mask in predicted
        )
    return (Answer("The next token", tuple((g.token, g.probability) for g in predicted)),)


def permutation_test(model_id: str, text: str, seed: int) -> Future[Equivariance]:
    """How far the model's states are from moving with their tokens."""
    arguments: dict[str, Hashable] = {"text": text, "seed": seed}
    return engine.engine().submit(Request(model_id, "permutation_test", arguments))


def picture_test(model_id: str, picture: Picture, seed: int) -> Future[Equivariance]:
    """How far a picture model's answer is from not minding the order of patches."""
    return vision.ask(model_id, "permutation_test", picture, seed=seed)


def other_places(encoding: Encoding, how: str, seed: int) -> tuple[int, ...]:
    """The positions that tokens get; special tokens keep theirs."""
    places = np.arange(len(encoding))
    inner = np.flatnonzero(~encoding.special)
    if how == "reversed":
        places[inner] = inner[::-1]
    else:
        places[inner] = inner[list(order_of(len(inner), seed))]
    return tuple(places.tolist())
