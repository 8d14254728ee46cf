"""Where one position looked: for every head, the key that it weighs most among the telling ones.

As in the overview of heads, special tokens and the position itself are left out: most heads
rest there (Clark et al. 2019, section 3.2, https://arxiv.org/abs/1906.04341).
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32

from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class Gaze:
    """A position's look through every head."""

    weights: Float32[np.ndarray, "layer head"]  # on the key below
    keys: tuple[tuple[int, ...], ...]  # that key, by layer and head
    n_resting: int  # heads whose strongest key of all is none of those looked at here


def gaze(
    rows: Iterable[Float32[np.ndarray, "head key"]], *, telling: Bool[np.ndarray, " key"]
) -> Gaze:
    """The strongest telling key of each head, from the position's row in every layer."""
    if not telling.any():
        raise ValueError("no key is left to look at")
    weights: list[np.ndarray] = []
    keys: list[tuple[int, ...]] = []
    resting = 0
    for row in rows:
        seen = np.where(telling, row, np.float32(-1))
        strongest = seen.argmax(axis=1)
        weights.append(seen[np.arange(len(row)), strongest])
        keys.append(tuple(strongest.tolist()))
        resting += int((~telling[row.argmax(axis=1)]).sum())
    return Gaze(read_only(np.stack(weights)), tuple(keys), resting)
