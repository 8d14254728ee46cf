"""Attention by relative position: how much weight lies so many places from the query, on average.

A head's maps of many inputs, folded into one row. Heads that look at a fixed offset show there:
Voita et al. 2019, https://arxiv.org/abs/1905.09418, section 5.1, and Clark et al. 2019,
https://arxiv.org/abs/1906.04341, section 3.1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Float64, Int64

from core.explain.attention.head_roles import RoleMasses, role_masses, role_rows
from core.explain.attribution.bootstrap import mean_intervals_together
from core.trace import AttentionKind, Encoding, Trace, read_only

REACH: Final = 10  # tokens, either way
FARTHER: Final = "farther"
SPECIAL: Final = "special tokens"
OFFSETS: Final = tuple(f"{step:+d}".replace("-", "−") for step in range(-REACH, REACH + 1))
COLUMNS: Final = (*OFFSETS, FARTHER, SPECIAL)


@dataclass(frozen=True, slots=True, eq=False)
class OffsetMeans:
    """One layer over many inputs, a column of COLUMNS each; NaN where no input has such a key."""

    mean: Float64[np.ndarray, "head column"]  # of the inputs' mean weights
    low: Float64[np.ndarray, "head column"]  # of the bootstrap interval
    high: Float64[np.ndarray, "head column"]
    even: Float64[np.ndarray, " column"]  # the mean under even attention
    n_inputs: Int64[np.ndarray, " column"]

    @property
    def nbytes(self) -> int:
        every = (self.mean, self.low, self.high, self.even, self.n_inputs)
        return sum(array.nbytes for array in every)


def offset_patterns(
    queries: Encoding, keys: Encoding
) -> Mapping[str, Bool[np.ndarray, "query key"]]:
    """Which keys stand key − query places on, FARTHER, or are special tokens.

    Across two texts, places are counted in each of its own. Queries that are special don't count.
    """
    steps = np.arange(len(keys))[None] - np.arange(len(queries))[:, None]
    words = ~queries.special[:, None] & ~keys.special
    found = {
        name: (steps == step) & words
        for name, step in zip(OFFSETS, range(-REACH, REACH + 1), strict=True)
    }
    found[FARTHER] = (np.abs(steps) > REACH) & words
    found[SPECIAL] = ~queries.special[:, None] & keys.special
    return found


def offset_masses(trace: Trace, kind: AttentionKind | None = None) -> RoleMasses:
    """How much weight the heads put on each of COLUMNS, over the queries that may look there.

    Raises InputError as `role_masses` does.
    """
    return role_masses(trace, kind, only=COLUMNS, places=offset_patterns)


def offset_means(inputs: Sequence[RoleMasses]) -> tuple[OffsetMeans, ...]:
    """The means over inputs, a layer each, with intervals. Raises ValueError for none.

    inputs: of `offset_masses`. Each counts alike, however long it is.
    """
    if not inputs:
        raise ValueError("there is no mean without an input")
    columns = [role_rows(inputs, column) for column in COLUMNS]
    return tuple(_of_layer([one[layer] for one in columns]) for layer in range(len(columns[0])))


def _of_layer(columns: Sequence[tuple[np.ndarray, np.ndarray]]) -> OffsetMeans:
    """columns: (input, head) masses, and those of even attention."""
    intervals = mean_intervals_together([masses for masses, _ in columns])
    n_heads = columns[0][0].shape[1]
    numbers = np.full((3, n_heads, len(columns)), np.nan)
    even = np.full(len(columns), np.nan)
    for at, (found, (_, share)) in enumerate(zip(intervals, columns, strict=True)):
        if found:
            numbers[:, :, at] = [
                [getattr(one, name) for one in found] for name in ("mean", "low", "high")
            ]
            even[at] = share[:, 0].mean()  # of any head: they see alike
    n_inputs = np.array([len(masses) for masses, _ in columns])
    mean, low, high = (read_only(part) for part in numbers)
    return OffsetMeans(mean, low, high, read_only(even), read_only(n_inputs))
