"""Open a model by its id or its directory. Imports torch only when called."""

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from core.catalog import Family, ModelCard
from core.catalog.checkpoints import locate
from core.catalog.hub import Progress

if TYPE_CHECKING:
    import torch

    from core.models.text.base import TextModel
    from core.models.vision.classifier import VisionModel
    from core.models.vision.detector import DetectorModel

# transformers replaces methods of its own classes while it loads: two loads at once leave them
# replaced, and every later model with tied weights is then reported as incomplete.
ONE_AT_A_TIME = Lock()


def best_device() -> "torch.device":
    """cuda, else mps, else cpu."""
    import torch

    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def load(
    model: str | Path, *, device: str | None = None, progress: Progress | None = None
) -> "TextModel | VisionModel | DetectorModel":
    """A model of the catalog, by id, or a checkpoint directory in transformers' or timm's layout.

    Raises InputError for what the reader can mend, ModelUnavailableError for a hub model
    that can't be had.
    """
    import torch

    card, folder = locate(model, progress)
    with ONE_AT_A_TIME:
        return _opened(card, folder, best_device() if device is None else torch.device(device))


def _opened(
    card: ModelCard, folder: Path, place: "torch.device"
) -> "TextModel | VisionModel | DetectorModel":
    if card.family == Family.VISION:
        from core.models.vision.loading import load_vision_model

        return load_vision_model(card, folder, place)
    if card.family == Family.MASKED_AUTOENCODER:
        from core.models.vision.masked_autoencoder import load_masked_autoencoder

        return load_masked_autoencoder(card, folder, place)
    if card.family == Family.DETECTOR:
        from core.models.vision.detector import load_detector

        return load_detector(card, folder, place)
    from core.models.text.loading import load_text_model

    return load_text_model(card, folder, place)
