"""The masked autoencoder's door: what it paints, how wrong it is."""

from concurrent.futures import Future
from typing import Final

from app.services.engine import ask
from app.services.vision import Picture
from core.outputs.autoencoder import ErrorByRatio, Reconstruction
from core.outputs.families import MaskedAutoencoder

RATIOS: Final = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.85, 0.9, 0.95)
SEEDS: Final = (0, 1, 2, 3, 4)


def painted(model_id: str, picture: Picture, hidden: tuple[int, ...]) -> Future[Reconstruction]:
    """The picture with these patches hidden, painted by the model."""
    return ask(MaskedAutoencoder.reconstruct_hidden, model_id, picture, hidden)


def painted_at_random(
    model_id: str, picture: Picture, ratio: float, seed: int
) -> Future[Reconstruction]:
    """The same with a random share of the patches hidden."""
    return ask(MaskedAutoencoder.reconstruct, model_id, picture, ratio=ratio, seed=seed)


def error_by_ratio(model_id: str, picture: Picture) -> Future[ErrorByRatio]:
    """The error at hidden patches for every share in RATIOS, in every draw of SEEDS."""
    return ask(MaskedAutoencoder.error_by_ratio, model_id, picture, RATIOS, SEEDS)
