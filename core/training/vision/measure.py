"""How good the shipped models are on photographs they never saw, through `core.load`.

Every held-out photograph is read whole from its archive, so a figure needs the shipped folder
and the data folder alone, and tells what the app's own loader gives.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from jaxtyping import Bool, Int

from core.errors import InputError
from core.models.load import load
from core.models.vision.classifier import VisionModel
from core.models.vision.masked_autoencoder import AutoencoderModel, Reconstruction
from core.outputs.vision import ClassPrediction
from core.training.vision.classes import LABELS, NO_CLASS
from core.training.vision.photos import Photo, read_photos

CLASSIFIER_MEANING = {
    "top_1": "held-out photographs of the 27 classes, whole, middle square: share whose "
    "likeliest class is right",
    "top_5": "the same, right class among the five likeliest",
    "mean_class_top_1": "mean over the 27 classes of their top_1: every class counts the same",
}
AUTOENCODER_MEANING = {
    "hidden_error": "held-out photographs, 75 % of the patches hidden: mean squared error over "
    "the hidden ones, colours from 0 to 1",
    "mean_colour_error": "for comparison: the same, if every hidden patch is painted in the mean "
    "colour of the visible ones",
    "psnr": "hidden_error as a peak signal-to-noise ratio, −10·log10 of it, in dB",
}
AUTOENCODER_UNITS = {"hidden_error": "", "mean_colour_error": "", "psnr": "dB"}  # no shares


@dataclass(frozen=True, slots=True)
class Answer:
    """What a classifier said of a held-out photograph."""

    photo: Photo
    predictions: tuple[ClassPrediction, ...]  # likeliest first

    @property
    def rank(self) -> int:
        """How many classes it holds for likelier than the right one, of those it told."""
        labels = [prediction.label for prediction in self.predictions]
        right = LABELS[self.photo.label]
        return labels.index(right) if right in labels else len(labels)


@dataclass(frozen=True, slots=True)
class Painting:
    """How far a held-out photograph's hidden patches were missed: mean squared errors."""

    name: str
    seed: int  # of its mask
    error: float
    mean_colour_error: float  # if they were painted in the visible patches' mean colour


def classifier_figures(folder: Path, data: Path) -> dict[str, float]:
    """The figures of vit-mini's or swin-mini's card; the names are CLASSIFIER_MEANING's."""
    return figures_of_answers(list(classified(folder, data)))


def figures_of_answers(answers: Sequence[Answer]) -> dict[str, float]:
    ranks = np.array([answer.rank for answer in answers])
    labels = np.array([answer.photo.label for answer in answers])
    figures = {
        "top_1": float((ranks < 1).mean()),
        "top_5": float((ranks < 5).mean()),
        "mean_class_top_1": _mean_by_class(ranks < 1, labels),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def classified(folder: Path, data: Path) -> Iterator[Answer]:
    """Ask the model in `folder` about every held-out photograph of the 27 classes."""
    model = _loaded(folder)
    for photo in read_photos(data):
        if photo.held_out and photo.label != NO_CLASS:
            yield Answer(photo, model.classify(photo.picture(), top_k=5))


def autoencoder_figures(folder: Path, data: Path) -> dict[str, float]:
    """The figures of mae-mini's card; the names are AUTOENCODER_MEANING's."""
    return figures_of_paintings(list(reconstructed(folder, data)))


def figures_of_paintings(made: Sequence[Painting]) -> dict[str, float]:
    error = float(np.mean([painting.error for painting in made]))
    plain = float(np.mean([painting.mean_colour_error for painting in made]))
    figures = {
        "hidden_error": error,
        "mean_colour_error": plain,
        "psnr": float(-10 * np.log10(error)),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def reconstructed(folder: Path, data: Path) -> Iterator[Painting]:
    """Let the model paint every held-out photograph; the n-th is masked with seed n."""
    model = _loaded(folder)
    if not isinstance(model, AutoencoderModel):
        raise InputError(f"{folder} is not a masked autoencoder; train mae-mini again")
    held_out = (photo for photo in read_photos(data) if photo.held_out)
    for seed, photo in enumerate(held_out):
        yield painting_of(photo.name, seed, model.reconstruct(photo.picture(), seed=seed))


def painting_of(name: str, seed: int, made: Reconstruction) -> Painting:
    """How well a picture was painted, beside painting it in one colour."""
    patch = np.ones((len(made.picture) // made.grid.rows, 1), dtype=bool)
    hidden = np.kron(made.hidden, patch @ patch.T)
    plain = made.picture[~hidden].mean(axis=0)
    if made.error is None:
        raise ValueError("nothing was hidden")
    return Painting(name, seed, made.error, float(((made.picture[hidden] - plain) ** 2).mean()))


def _mean_by_class(right: Bool[np.ndarray, " photo"], labels: Int[np.ndarray, " photo"]) -> float:
    counts = np.bincount(labels)
    return float((np.bincount(labels, right)[counts > 0] / counts[counts > 0]).mean())


def _loaded(folder: Path) -> VisionModel:
    if not (folder / "model.safetensors").is_file():
        raise InputError(f"{folder} holds no model.safetensors; train the model first")
    return cast("VisionModel", load(folder, device="cpu"))
