"""The positions page's door: models' tables, their trainings, and forwards with other positions.

Everything that needs a model is asked of the one engine; what follows from a trace is a pure
function in `core.positions`, cached by the request.
"""

import os
from collections.abc import Hashable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Protocol

import numpy as np
import skimage.data
from PIL import Image

from app import inference
from core.catalog import CATALOG, Family, ModelCard, Origin
from core.checkpoints import EMBEDDED_MODELS, is_on_board, locate
from core.engine import Request
from core.errors import InputError
from core.interventions import PositionChange
from core.positions import (
    Components,
    Equivariance,
    PositionTable,
    Snapshots,
    order_of,
    principal_components,
    read_snapshots,
)
from core.trace import Encoding, Trace


@cache
def vision_cards() -> tuple[ModelCard, ...]:
    """Picture models on board or among the server's own directories."""
    own: list[ModelCard] = []
    for entry in filter(None, os.environ.get(inference.OWN_CHECKPOINTS, "").split(os.pathsep)):
        with suppress(InputError):  # the text pages' picker tells what is wrong with it
            own.append(locate(entry)[0])
    on_board = (card for card in CATALOG if is_on_board(card))
    return tuple(card for card in (*on_board, *own) if card.family == Family.VISION)


MOST_ANSWERS: Final = 5
N_COMPONENTS: Final = 4
PICTURES: Final = ("chelsea", "astronaut", "coffee", "rocket")


class ClassPrediction(Protocol):
    """A class and its probability."""

    @property
    def label(self) -> str: ...
    @property
    def probability(self) -> float: ...


@dataclass(frozen=True)
class Photograph:
    """A picture that comes with scikit-image, by name, so that equal questions meet."""

    name: str

    def convert(self, mode: str) -> Image.Image:
        """The picture itself, as PIL's own `convert` gives it."""
        return Image.fromarray(getattr(skimage.data, self.name)()).convert(mode)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model predicts at one place, most probable first."""

    place: str
    candidates: tuple[tuple[str, float], ...]  # token, probability


Asked = tuple[Request, Future[Trace]]


def cards() -> tuple[ModelCard, ...]:
    """Every model that may have a table of positions; the hub's picture models last."""
    offline = vision_cards()
    hub = (c for c in CATALOG if c.family == Family.VISION and c.origin == Origin.HUB)
    return (*inference.text_models().cards, *offline, *(c for c in hub if c not in offline))


def table(model_id: str) -> Future[PositionTable]:
    """The model's own table; the future raises InputError for a model without one."""
    return inference.engine().submit(Request(model_id, "position_table"))


def components(model_id: str, moment: int, vectors: np.ndarray) -> Components:
    """Principal components of a model's first positions at a moment of its training."""
    key = ("components", model_id, moment, len(vectors))
    return inference.engine().derived(key, lambda: principal_components(vectors, N_COMPONENTS))


def trace(model_id: str, text: str, change: PositionChange | None = None) -> Asked:
    """A forward pass, with positions as they are or changed; the future raises InputError."""
    arguments: dict[str, Hashable] = {"text": text}
    if change is not None:
        arguments["interventions"] = (change,)
    request = Request(model_id, "trace", arguments)
    return request, inference.engine().submit(request)


def predictions(card: ModelCard, text: str, change: PositionChange | None = None) -> Future[Any]:
    """What `answers` reads; the future raises InputError for a text without a mask, or no head."""
    encoder = card.family == Family.TEXT_ENCODER
    arguments: dict[str, Hashable] = {"text": text, "top_k": MOST_ANSWERS}
    if change is not None:
        arguments["interventions"] = (change,)
    request = Request(card.id, "fill_mask" if encoder else "next_token", arguments)
    return inference.engine().submit(request)


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
    return inference.engine().submit(Request(model_id, "permutation_test", arguments))


def picture_test(model_id: str, picture: Photograph, seed: int) -> Future[Equivariance]:
    """How far a picture model's answer is from not minding the order of patches."""
    arguments: dict[str, Hashable] = {"image": picture, "seed": seed}
    return inference.engine().submit(Request(model_id, "permutation_test", arguments))


def classes(
    model_id: str, picture: Photograph, change: PositionChange | None = None
) -> Future[tuple[ClassPrediction, ...]]:
    """A picture's most probable classes, with patches' positions as they are or changed."""
    arguments: dict[str, Hashable] = {"image": picture, "top_k": MOST_ANSWERS}
    if change is not None:
        arguments["interventions"] = (change,)
    return inference.engine().submit(Request(model_id, "classify", arguments))


def other_places(encoding: Encoding, how: str, seed: int) -> tuple[int, ...]:
    """The positions that tokens get; special tokens keep theirs."""
    places = np.arange(len(encoding))
    inner = np.flatnonzero(~encoding.special)
    if how == "reversed":
        places[inner] = inner[::-1]
    else:
        places[inner] = inner[list(order_of(len(inner), seed))]
    return tuple(places.tolist())


def snapshots(card: ModelCard) -> Snapshots | None:
    """The table through the training, for models trained here."""
    path = EMBEDDED_MODELS / card.id / "snapshots.npz"
    if card.origin != Origin.EMBEDDED or not path.exists():
        return None
    key = ("snapshots", card.id, path.stat().st_mtime_ns)
    return inference.engine().derived(key, lambda: read_snapshots(path))
