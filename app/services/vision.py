"""The vision page's door: pictures as values, and what picture models say of them.

Everything is asked of the one engine, so that equal questions are computed once for all readers.
"""

import hashlib
import math
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from functools import cache
from threading import BoundedSemaphore
from typing import Final, TypeVar

import numpy as np
from jaxtyping import Float32
from PIL import Image

from app.services import engine
from app.services.engine import ask
from core.data.animations import frames
from core.data.images import open_picture
from core.data.pictures import PHOTOGRAPHS, Picture, photograph
from core.engine import Request
from core.interventions import Intervention
from core.limits import FILM_FRAMES
from core.outputs.families import VisionModel
from core.outputs.randomization_test import RandomisedEvidence
from core.outputs.vision import ClassPrediction, PatchLogits, SeenPicture
from core.targets import ClassTarget, Target
from core.trace import Trace

Value = TypeVar("Value")
Variants = tuple[tuple[Intervention, ...], ...]
SAMPLES: Final = PHOTOGRAPHS
LONGEST_SHORT_SIDE: Final = 640  # pixels: no model here sees more
KEPT_PIXELS: Final = 4 * LONGEST_SHORT_SIDE**2  # of a picture, and of all frames of a film together
UPLOADED: Final = "your picture"
OPENING: Final = BoundedSemaphore(2)


@cache
def sample(name: str) -> Picture:
    """A picture of scikit-image's package, by name."""
    return Picture(name, name, photograph(name))


def upload(image: Image.Image, most: int = KEPT_PIXELS) -> Picture:
    """A picture that the reader brought, no larger than any model needs; for its session only."""
    pixels = image.width * image.height
    shrink = max(1.0, min(image.size) / LONGEST_SHORT_SIDE, math.sqrt(pixels / most))
    size = (max(1, round(image.width / shrink)), max(1, round(image.height / shrink)))
    small = image if shrink == 1 else image.resize(size, Image.Resampling.LANCZOS)
    digest = hashlib.sha256(small.tobytes() + repr(small.size).encode()).hexdigest()
    return Picture(UPLOADED, digest, small)


def opened(content: bytes, name: str) -> tuple[Picture, tuple[Picture, ...], tuple[str, ...]]:
    """A reader's file as a picture, the frames of a film, and what was changed on opening it.

    Raises InputError as `open_picture` does. Few at a time: each unpacks to up to 75 MB. A film's
    frames are together no larger than one picture.
    """
    with OPENING:
        found = open_picture(content, name)
        film = (upload(frame, KEPT_PIXELS // FILM_FRAMES) for frame in frames(content, name))
        return upload(found.image), tuple(film), found.notes


def trace(
    model_id: str,
    picture: Picture,
    interventions: Sequence[Intervention] = (),
    gradient_of: Target | None = None,
) -> tuple[Request[Trace], Future[Trace]]:
    """One forward pass, traced, with gradients of a target if one is given."""
    request = Request.of(
        VisionModel.trace,
        model_id,
        picture,
        interventions=tuple(interventions),
        gradient_of=gradient_of,
    )
    return request, engine.submit(request)


def seen(model_id: str, picture: Picture) -> Future[SeenPicture]:
    """The exact crop that the model saw."""
    return ask(VisionModel.seen, model_id, picture)


def classes(
    model_id: str, picture: Picture, interventions: Sequence[Intervention] = ()
) -> Future[tuple[ClassPrediction, ...]]:
    """The most probable classes."""
    return ask(VisionModel.classify, model_id, picture, interventions=tuple(interventions))


def probabilities(
    model_id: str, picture: Picture, variants: Variants
) -> Future[Float32[np.ndarray, "variant class"]]:
    """Every class's probability under each of many changes."""
    return ask(VisionModel.probabilities, model_id, picture, variants)


def measure(
    model_id: str, picture: Picture, variants: Variants, quantity: ClassTarget
) -> Future[Float32[np.ndarray, " variant"]]:
    """One class's probability under each of many changes."""
    return ask(VisionModel.measure, model_id, picture, variants, quantity)


def evidence(
    model_id: str,
    picture: Picture,
    method: str,
    target: ClassTarget,
    against: ClassTarget | None = None,
) -> Future[Float32[np.ndarray, "row column"]]:
    """How much each patch speaks for a class, by a method of `EVIDENCE`."""
    return engine.submit(evidence_request(model_id, picture, method, target, against))


def evidence_request(
    model_id: str,
    picture: Picture,
    method: str,
    target: ClassTarget,
    against: ClassTarget | None = None,
) -> Request[Float32[np.ndarray, "row column"]]:
    """The same question, for `engine.wanted`."""
    return Request.of(VisionModel.evidence, model_id, picture, method, target, against)


def randomised_evidence(
    model_id: str, picture: Picture, method: str, target: ClassTarget, *, blocks: int, seed: int
) -> Future[RandomisedEvidence]:
    """The same of a copy whose head and last blocks are fresh."""
    return ask(
        VisionModel.randomised_evidence,
        model_id,
        picture,
        method,
        target,
        blocks=blocks,
        seed=seed,
    )


def patch_logits(
    model_id: str, picture: Picture, interventions: Sequence[Intervention] = ()
) -> Future[PatchLogits]:
    """The logit lens: what the head says of every layer's tokens."""
    return ask(VisionModel.patch_logits, model_id, picture, interventions=tuple(interventions))


def relative_biases(model_id: str) -> Future[tuple[Float32[np.ndarray, "_ _ _"], ...]]:
    """Swin's B by layer, as (head, 2M − 1, 2M − 1); the future raises InputError without."""
    return ask(VisionModel.relative_biases, model_id)


def derived(
    request: Request[Trace], name: str, compute: Callable[[], Value], *settings: Hashable
) -> Value:
    """What follows from a trace by a pure function: computed once for all who look."""
    return engine.derived((name, request, *settings), compute)
