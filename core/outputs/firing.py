"""Where one neuron is active in a text."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, Int64


@dataclass(frozen=True, slots=True, eq=False)
class Firing:
    """Its activation at every token."""

    tokens: tuple[str, ...]
    ids: Int64[np.ndarray, " token"]
    special: Bool[np.ndarray, " token"]  # [CLS], [SEP], an end: of every text, and no word of it
    activations: Float32[np.ndarray, " token"]

    @property
    def peak(self) -> int:
        """The token at which it is strongest, special ones left out where there are others.

        By size: gated networks have neurons that go far below zero.
        """
        left_out = self.special & (not self.special.all())
        return int(np.where(left_out, -1, np.abs(self.activations)).argmax())

    @property
    def strength(self) -> float:
        return float(self.activations[self.peak])

    @property
    def nbytes(self) -> int:
        return self.activations.nbytes + 65 * len(self.tokens)
