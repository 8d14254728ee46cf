"""A model's own table of absolute positions, as it lies in the checkpoint."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.trace import PatchGrid


@dataclass(frozen=True, slots=True, eq=False)
class PositionTable:
    """One vector a position; a picture model's prefix tokens (class, register) come first."""

    vectors: Float32[np.ndarray, "position d_model"]
    learned: bool  # False: sinusoids, written down and never trained
    source: str  # the parameter's name in the checkpoint
    prefix_tokens: int = 0  # rows before the first patch: 0 where prefix tokens have no position
    grid: PatchGrid | None = None

    @property
    def patches(self) -> Float32[np.ndarray, "position d_model"]:
        """The rows without those of prefix tokens."""
        return self.vectors[self.prefix_tokens :]

    @property
    def nbytes(self) -> int:
        return self.vectors.nbytes
