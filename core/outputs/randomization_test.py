"""What a map says when the model behind it has been made random."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class RandomisedEvidence:
    """One method's map, asked of a copy with fresh last weights."""

    evidence: Float32[np.ndarray, "row column"]
    probability: float  # that the copy gives the class
    blocks: int  # drawn anew, besides the head

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence", read_only(self.evidence))

    @property
    def nbytes(self) -> int:
        return self.evidence.nbytes
