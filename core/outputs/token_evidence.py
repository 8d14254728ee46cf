"""Which tokens speak for an answer, as a model's own number for each: values, without torch."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float32

from core.trace import read_only

Mixing = Literal["written", "zeroed"]
"""How a layer's mixing is told: ‖αf(x)‖, or Value Zeroing."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenEvidence:
    """One number a token of the text, as the model read it.

    Where a method shares out a difference of two logits, both are here: of the text, and of the
    text with every word hidden.
    """

    values: Float32[np.ndarray, " token"]
    answer: float | None = None
    baseline: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", read_only(self.values))

    @property
    def residual(self) -> float | None:
        """What the tokens' shares leave over of answer − baseline; None without a promise."""
        if self.answer is None or self.baseline is None:
            return None
        return self.answer - self.baseline - float(self.values.sum(dtype=np.float64))

    @property
    def nbytes(self) -> int:
        return self.values.nbytes
