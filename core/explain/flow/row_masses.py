"""Where a row's mass lies on its way through the layers: prefix tokens, the patch itself, others.

Over a picture a map shows patches only, while much of the mass may lie on class or register
tokens (Darcet et al. 2024, https://arxiv.org/abs/2309.16588).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.trace import PatchGrid


@dataclass(frozen=True, slots=True, eq=False)
class RowMasses:
    """Shares of a row, frame by frame."""

    prefix: Float32[np.ndarray, "frame prefix"]
    itself: Float32[np.ndarray, " frame"] | None  # None where the row begins at no single patch
    patches: Float32[np.ndarray, " frame"]  # on all patches but itself


def row_masses(
    film: Float32[np.ndarray, "frame position"], grid: PatchGrid, *, token: int | None = None
) -> RowMasses:
    """Of a row that begins at `token`, prefix tokens counted first; of no token, a mean of rows."""
    n_prefix = grid.prefix_tokens
    patches = film[:, n_prefix:].sum(axis=1)
    itself = None
    if token is not None and token >= n_prefix:
        itself = film[:, token]
        patches = patches - itself  # rounding may leave −1e-8
    return RowMasses(film[:, :n_prefix], itself, np.maximum(patches, 0))
