"""What a picture model answers besides traces: immutable values, without torch.

Pictures are (height, width, colour), patches count row by row.
"""

from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float32, Int64, UInt8
from PIL import Image

from core.explain.predictions.largest import largest
from core.trace import PatchGrid, read_only, softmax


@runtime_checkable
class AnyPicture(Protocol):
    """A PIL image, or what stands for one: all that a model asks is its pixels in RGB."""

    def convert(self, mode: str) -> Image.Image: ...


@dataclass(frozen=True)
class WholePicture:
    """A picture of which nothing is to be cropped, whatever its shape.

    A model then gets more patches along its long side; InputError from one that can't.
    """

    image: AnyPicture
    whole: ClassVar = True

    def convert(self, mode: str) -> Image.Image:
        return self.image.convert(mode)


@dataclass(frozen=True, slots=True)
class Resampled:
    """What of a model was made to fit a grid of patches other than that of its training."""

    trained: PatchGrid  # without prefix tokens
    table: bool  # learned positions, interpolated
    offsets: bool  # learned biases by distance, interpolated
    angles: bool  # rotary positions, worked out for the new grid


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
    resampled: Resampled | None = None  # None where the grid is the model's own

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
    first: Int64[np.ndarray, "layer token"] = field(init=False)  # each token's likeliest class
    probability: Float32[np.ndarray, "layer token"] = field(init=False)  # and its probability
    answer_first: Int64[np.ndarray, " layer"] = field(init=False)
    answer_probability: Float32[np.ndarray, " layer"] = field(init=False)

    def __post_init__(self) -> None:
        for name, logits in (("", self.tokens), ("answer_", self.answers)):
            object.__setattr__(self, f"{name}first", read_only(logits.argmax(-1)))
            object.__setattr__(self, f"{name}probability", read_only(softmax(logits).max(-1)))
        for name in ("tokens", "answers"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def nbytes(self) -> int:
        arrays = (self.tokens, self.answers, self.first, self.probability)
        return sum(array.nbytes for array in arrays)

    def patches(self, at: int, index: int) -> Float32[np.ndarray, "row column"]:
        """A class's probability by patch after the `at`-th of `layers`."""
        chosen = softmax(self.tokens[at, self.grid.prefix_tokens :])[:, index]
        return np.ascontiguousarray(chosen.reshape(self.grid.rows, self.grid.columns))

    def best(self, at: int, patch: int, count: int = 3) -> tuple[tuple[int, float], ...]:
        """A patch's likeliest classes, with their probabilities."""
        chances = softmax(self.tokens[at, self.grid.prefix_tokens + patch])
        return tuple((index, float(chances[index])) for index in largest(chances, count))

    def decided_at(self) -> int:
        """The first of `layers` from which on the model's answer is the first choice."""
        others = np.flatnonzero(self.answer_first != self.answer_first[-1])
        return int(others[-1]) + 1 if len(others) else 0
