"""Leave tokens out of a map, and say how much attention went with them.

Special tokens often hold most of a row (a "sink": Clark et al. 2019,
https://arxiv.org/abs/1906.04341, section 3.2; Xiao et al. 2024). Hiding them changes what
is seen, never what the model did.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32

from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class ReducedMaps:
    """Maps without the hidden tokens, and the mass that each remaining row lost."""

    maps: Float32[np.ndarray, "map query key"]
    removed: Float32[np.ndarray, "map query"]


def hide_tokens(
    maps: Float32[np.ndarray, "map query key"],
    *,
    kept_queries: Bool[np.ndarray, " query"],
    kept_keys: Bool[np.ndarray, " key"],
    renormalise: bool,
) -> ReducedMaps:
    """Drop rows and columns; with `renormalise`, what is left of a row sums to one again.

    A row whose whole mass was hidden stays zero: there is nothing to renormalise.
    """
    rows = maps[:, kept_queries]
    removed = rows[:, :, ~kept_keys].sum(axis=-1, dtype=np.float32)
    rows = rows[:, :, kept_keys]
    if renormalise:
        left = rows.sum(axis=-1, keepdims=True)
        rows = np.divide(rows, left, out=np.zeros_like(rows), where=left > 0)
    return ReducedMaps(read_only(rows), read_only(removed))


def is_punctuation(tokens: Sequence[str]) -> Bool[np.ndarray, " token"]:
    """Tokens made of punctuation and symbols alone, a word-start marker aside."""
    return np.array(
        [
            bool(bare := token.strip("Ġ▁# "))
            and all(unicodedata.category(letter)[0] in "PS" for letter in bare)
            for token in tokens
        ],
        dtype=bool,
    )
