"""The vision page's door: pictures as values, and what picture models say of them.

Everything is asked of the one engine, so that equal questions are computed once for all readers.
"""

import hashlib
import os
from collections.abc import Hashable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import skimage.data
from PIL import Image

from app.services import engine
from core.catalog import CATALOG, Family, ModelCard, Origin
from core.catalog.checkpoints import is_on_board, locate
from core.engine import Request
from core.errors import InputError
from core.interventions import Intervention
from core.trace import Trace

SAMPLES: Final = ("chelsea", "astronaut", "coffee", "rocket", "horse", "camera")
LONGEST_SHORT_SIDE: Final = 640  # pixels: no model here sees more
UPLOADED: Final = "your picture"


@dataclass(frozen=True)
class Picture:
    """A reader's picture; equal ones have equal digests. Stands in for a PIL image."""

    name: str
    digest: str
    image: Image.Image = field(compare=False, repr=False)

    @property
    def is_sample(self) -> bool:
        return self.name in SAMPLES

    def convert(self, mode: str) -> Image.Image:
        """As PIL's own `convert`, which is all that the core asks of a picture."""
        return self.image.convert(mode)


@cache
def sample(name: str) -> Picture:
    """A picture of scikit-image's package, by name."""
    return Picture(name, name, Image.fromarray(getattr(skimage.data, name)()).convert("RGB"))


def upload(image: Image.Image) -> Picture:
    """A picture that the reader brought, no larger than any model needs; for its session only."""
    shrink = max(1.0, min(image.size) / LONGEST_SHORT_SIDE)
    size = (max(1, round(image.width / shrink)), max(1, round(image.height / shrink)))
    small = image if shrink == 1 else image.resize(size, Image.Resampling.LANCZOS)
    digest = hashlib.sha256(small.tobytes() + repr(small.size).encode()).hexdigest()
    return Picture(UPLOADED, digest, small)


@cache
def cards(families: tuple[Family, ...] = (Family.VISION,)) -> tuple[ModelCard, ...]:
    """Models of pictures: those on board first, then the server's own directories, then the hub."""
    on_board = [card for card in CATALOG if is_on_board(card)]
    own: list[ModelCard] = []
    for entry in filter(None, os.environ.get(engine.OWN_CHECKPOINTS, "").split(os.pathsep)):
        with suppress(InputError):  # the text pages' picker tells what is wrong with it
            own.append(locate(entry)[0])
    hub = [card for card in CATALOG if card.origin == Origin.HUB and card not in on_board]
    return tuple(card for card in (*on_board, *own, *hub) if card.family in families)


def ask(model_id: str, method: str, picture: Picture, /, **arguments: Hashable) -> Future[Any]:
    """What a model's method answers about a picture; the future raises InputError."""
    return engine.engine().submit(Request(model_id, method, {"image": picture, **arguments}))


def trace(
    model_id: str,
    picture: Picture,
    interventions: Sequence[Intervention] = (),
    gradient_of: Hashable | None = None,
) -> tuple[Request, Future[Trace]]:
    """One forward pass, traced, with gradients of a target if one is given."""
    arguments: dict[str, Hashable] = {"image": picture}
    if interventions:
        arguments["interventions"] = tuple(interventions)
    if gradient_of is not None:
        arguments["gradient_of"] = gradient_of
    request = Request(model_id, "trace", arguments)
    return request, engine.engine().submit(request)


def seen(model_id: str, picture: Picture) -> Future[Any]:
    """The exact crop that the model saw: a SeenPicture."""
    return ask(model_id, "seen", picture)


def classes(
    model_id: str, picture: Picture, interventions: Sequence[Intervention] = (), top_k: int = 5
) -> Future[Any]:
    """The most probable classes."""
    arguments: dict[str, Hashable] = {"top_k": top_k}
    if interventions:
        arguments["interventions"] = tuple(interventions)
    return ask(model_id, "classify", picture, **arguments)


def derived(request: Request, name: str, compute: Any, *settings: Hashable) -> Any:
    """What follows from a trace by a pure function: computed once for all who look."""
    return engine.engine().derived((name, request, *settings), compute)
