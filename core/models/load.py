"""Open a model by its id or its directory. Imports torch only when called."""

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, overload

from core.catalog import Family, ModelCard
from core.catalog.checkpoints import locate
from core.catalog.hub import Progress
from core.catalog.ids import (
    AutoencoderId,
    DecoderId,
    DetectorId,
    EncoderId,
    TranslatorId,
    VisionId,
)
from core.errors import InputError
from core.models.kept_pages import keep_pages
from core.outputs.families import (
    PROTOCOLS,
    Decoder,
    Detector,
    Encoder,
    MaskedAutoencoder,
    Model,
    Translator,
    VisionModel,
)

if TYPE_CHECKING:
    import torch

Opened = TypeVar("Opened", bound=Model[Any, Any])

# transformers replaces methods of its own classes while it loads: two loads at once leave them
# replaced, and every later model with tied weights is then reported as incomplete.
ONE_AT_A_TIME = Lock()


def best_device() -> "torch.device":
    """cuda, else mps, else cpu."""
    import torch

    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


@overload
def load(
    model: EncoderId, *, device: str | None = None, progress: Progress | None = None
) -> Encoder: ...
@overload
def load(
    model: DecoderId, *, device: str | None = None, progress: Progress | None = None
) -> Decoder: ...
@overload
def load(
    model: TranslatorId, *, device: str | None = None, progress: Progress | None = None
) -> Translator: ...
@overload
def load(
    model: VisionId, *, device: str | None = None, progress: Progress | None = None
) -> VisionModel: ...
@overload
def load(
    model: AutoencoderId, *, device: str | None = None, progress: Progress | None = None
) -> MaskedAutoencoder: ...
@overload
def load(
    model: DetectorId, *, device: str | None = None, progress: Progress | None = None
) -> Detector: ...
@overload
def load(
    model: str | Path,
    family: type[Opened],
    *,
    device: str | None = None,
    progress: Progress | None = None,
) -> Opened: ...
@overload
def load(
    model: str | Path, *, device: str | None = None, progress: Progress | None = None
) -> Model[Any, Any]: ...
def load(
    model: str | Path,
    family: type | None = None,
    *,
    device: str | None = None,
    progress: Progress | None = None,
) -> Model[Any, Any]:
    """A model of the catalog, by id, or a checkpoint directory in transformers' or timm's layout.

    family: what a directory is expected to hold, such as `core.Encoder`; editors and type
    checkers then know what it can be asked, as they do of the catalog's ids.

    Raises InputError for what the reader can mend, ModelUnavailableError for a hub model
    that can't be had.
    """
    import torch

    keep_pages()
    card, folder = locate(model, progress)
    if family is not None and family not in PROTOCOLS[card.family].__mro__:
        raise InputError(
            f"{card.title} is a {PROTOCOLS[card.family].__name__}, not a {family.__name__}."
        )
    with ONE_AT_A_TIME:
        return _opened(card, folder, best_device() if device is None else torch.device(device))


def _opened(
    card: ModelCard, folder: Path, place: "torch.device"
) -> Encoder | Decoder | Translator | VisionModel | MaskedAutoencoder | Detector:
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
