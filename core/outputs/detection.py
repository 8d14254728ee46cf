"""What a detector answers besides traces: immutable values, without torch."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Float32, UInt8


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """What every decoder layer says of a scene; the last layer is the answer.

    The last class is “no object”. Boxes are centre x, centre y, width, height, in 0..1.
    """

    picture: UInt8[np.ndarray, "height width 3"]  # as the model saw it
    layer_boxes: Float32[np.ndarray, "layer slot 4"]
    layer_probabilities: Float32[np.ndarray, "layer slot class"]
    # where each slot begins to look: x, y; None where it begins nowhere in particular
    references: Float32[np.ndarray, "slot 2"] | None

    @property
    def boxes(self) -> Float32[np.ndarray, "slot 4"]:
        return self.layer_boxes[-1]

    @property
    def probabilities(self) -> Float32[np.ndarray, "slot class"]:
        return self.layer_probabilities[-1]

    @property
    def nbytes(self) -> int:
        return self.picture.nbytes + self.layer_boxes.nbytes + self.layer_probabilities.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class SlotBoxes:
    """The last layer's answers for many scenes."""

    boxes: Float32[np.ndarray, "scene slot 4"]
    probabilities: Float32[np.ndarray, "scene slot class"]

    @property
    def claims(self) -> Bool[np.ndarray, "scene slot"]:
        """Where a slot says that there is an object: “no object” is not its likeliest class."""
        return self.probabilities.argmax(-1) < self.probabilities.shape[-1] - 1

    @property
    def claim_shares(self) -> Float[np.ndarray, " slot"]:
        """In how large a share of the scenes a slot claims an object."""
        return self.claims.mean(axis=0)

    @property
    def nbytes(self) -> int:
        return self.boxes.nbytes + self.probabilities.nbytes
