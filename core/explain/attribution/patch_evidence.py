"""What one patch's (or token's) number means among all, and what all of them add up to.

Signs are read apart: a positive patch speaks for the class, a negative one against it.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float


@dataclass(frozen=True, slots=True)
class PatchEvidence:
    """One patch in its map."""

    value: float
    rank: int  # 1 speaks most for the class; equals share the better rank
    share: float  # of the sum of all patches of its sign


@dataclass(frozen=True, slots=True)
class EvidenceSums:
    """How much speaks for the class and how much against it, in the method's own unit."""

    positive: float
    negative: float  # below zero
    n_positive: int
    n_negative: int

    @property
    def together(self) -> float:
        return self.positive + self.negative


def patch_evidence(values: Float[np.ndarray, "*place"]) -> tuple[PatchEvidence, ...]:
    """Every patch's reading, row by row."""
    # a second, for this alone
    from scipy.stats import rankdata  # pyright: ignore[reportUnknownVariableType]

    flat, sums = values.ravel(), evidence_sums(values)
    ranks = rankdata(-flat, method="min")
    return tuple(
        PatchEvidence(value, int(rank), _share(value, sums))
        for value, rank in zip(flat.tolist(), ranks, strict=True)
    )


def evidence_sums(values: Float[np.ndarray, "*place"]) -> EvidenceSums:
    """The sums of both signs."""
    above, below = values[values > 0], values[values < 0]
    return EvidenceSums(float(above.sum()), float(below.sum()), above.size, below.size)


def _share(value: float, sums: EvidenceSums) -> float:
    if value == 0:
        return 0.0
    return value / (sums.positive if value > 0 else sums.negative)
