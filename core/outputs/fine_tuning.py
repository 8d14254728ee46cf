"""What can be made cheaper in a fine-tuned model, as values.

`core.models.vision.fine_tuning` does it.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.blocks.lora import Spectrum


@dataclass(frozen=True)
class LowRank:
    """Every matrix is what the fine-tuning started from, plus BA of this rank."""

    rank: int


@dataclass(frozen=True)
class Int8:
    """Every matrix goes through absmax int8 and back; None: one block a matrix."""

    block: int | None


CheapChange = LowRank | Int8


@dataclass(frozen=True, slots=True, eq=False)
class WeightUpdate:
    """One matrix before and after a fine-tuning, (outputs, inputs)."""

    name: str
    start: Float32[np.ndarray, "m n"]
    weight: Float32[np.ndarray, "m n"]
    update: Spectrum  # of weight − start
    weight_values: Float32[np.ndarray, " value"]  # singular values of the weight itself

    @property
    def nbytes(self) -> int:
        return self.start.nbytes + self.weight.nbytes + self.update.nbytes
