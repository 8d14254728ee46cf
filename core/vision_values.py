"""What a picture model answers besides traces: immutable values, without torch.

Pictures are (height, width, colour), patches count row by row.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, UInt8

from core.trace import PatchGrid, read_only, softmax


@dataclass(frozen=True)
class ClassPrediction:
    """A class and its probability."""

    label: str
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class SeenPicture:
    """Exactly what the model saw: resized, cropped, its colours undone from the normalisation."""

    picture: UInt8[np.ndarray, "height width 3"]
    grid: PatchGrid
    patch_pixels: tuple[int, int]  # height and width of one patch
    prefix: tuple[str, ...]  # every prefix token as what it is: "[CLS]", "register 1"

    def __post_init__(self) -> None:
        object.__setattr__(self, "picture", read_only(self.picture))

    @property
    def nbytes(self) -> int:
        return self.picture.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class PatchLogits:
    """The logit lens of a picture model: its head on every layer's tokens.

    Layers are indices into `Trace.hidden_states()`: 0 are the embeddings. Where stages differ
    in width (Swin), only those that the head can read are here.
    """

    layers: tuple[int, ...]
    tokens: Float32[np.ndarray, "layer token class"]  # the head on each token alone
    answers: Float32[np.ndarray, "layer class"]  # the head as the model uses it: pooled, or [CLS]
    grid: PatchGrid  # of the tokens, after their prefix
    prefix: tuple[str, ...]
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in ("tokens", "answers"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def nbytes(self) -> int:
        return self.tokens.nbytes + self.answers.nbytes

    def patches(self, layer: int, index: int) -> Float32[np.ndarray, "row column"]:
        """A class's probability by patch after the `layer`-th entry of `layers`."""
        chosen = softmax(self.tokens[layer, self.grid.prefix_tokens :])[:, index]
        return chosen.reshape(self.grid.rows, self.grid.columns)
