"""The masked autoencoder's door: what it paints, how wrong it is."""

from concurrent.futures import Future
from typing import Final

from app.services import vision
from app.services.vision import Picture
from core.outputs.autoencoder import ErrorByRatio, Reconstruction

RATIOS: Final = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.85, 0.9, 0.95)
SEEDS: Final = (0, 1, 2, 3, 4)


def painted(model_id: str, picture: Picture, hidden: tuple[int, ...]) -> Future[Reconstruction]:
    """The picture with these patches hidden, painted by the model."""
    return vision.ask(model_id, "reconstruct_hidden", picture, hidden=hidden)


def error_by_ratio(model_id: str, picture: Picture) -> Future[ErrorByRatio]:
    """The error at hidden patches for every share in RATIOS, in every draw of SEEDS."""
    return vision.ask(model_id, "error_by_ratio", picture, ratios=RATIOS, seeds=SEEDS)
