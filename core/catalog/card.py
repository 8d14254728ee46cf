"""What is known of a model before it is loaded, as one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Family(StrEnum):
    """What a model can be asked; one file in `core.models` each."""

    TEXT_ENCODER = "text-encoder"
    TEXT_DECODER = "text-decoder"
    TRANSLATOR = "translator"
    VISION = "vision"
    MASKED_AUTOENCODER = "masked-autoencoder"
    DETECTOR = "detector"


class Origin(StrEnum):
    """Where a model's files come from."""

    EMBEDDED = "embedded"  # assets/models, shipped with the project
    PACKAGE = "package"  # a data package, hash-checked; the hub without it
    HUB = "hub"  # downloaded when first asked for
    DIRECTORY = "directory"  # the reader's own checkpoint


@dataclass(frozen=True)
class ModelCard:
    """What is known of a model before it is loaded."""

    id: str
    title: str
    family: Family
    task: str
    layers: int  # of the encoder, and as many of the decoder where there are two stacks
    heads: int
    d_model: int
    parameters: int
    licence: str
    paper: str
    origin: Origin
    repository: str = ""  # on the hub
    revision: str | None = None
    architecture: str | None = None  # timm's name; the transformers class where config.json errs
    package: str = ""
    sha256: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    metrics: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)
    labels: tuple[str, ...] = ()
    starts_from: str = ""  # the embedded model whose weights its training began with
    base: str = ""  # the catalog's model to whose weights this one's files are an update

    @property
    def size(self) -> str:
        return f"{self.layers} layers × {self.heads} heads, {self.parameters / 1e6:.3g} M"
