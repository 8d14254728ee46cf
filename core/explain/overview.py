"""All heads at a glance: what a grid of thumbnails needs, small enough to send.

The codes are for looking; every number that is printed is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, UInt8


@dataclass(frozen=True, slots=True)
class StrongestPair:
    """A head's largest weight among the pairs that are neither diagonal nor special."""

    query: int
    key: int
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class HeadOverview:
    """Every head's map as codes, and exact facts about each."""

    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    codes: tuple[UInt8[np.ndarray, "head row column"], ...]  # one array a layer
    maxima: tuple[Float32[np.ndarray, " head"], ...]  # exact: the weight of the largest code
    strongest: tuple[tuple[StrongestPair | None, ...], ...]
    special_mass: tuple[Float32[np.ndarray, " head"], ...] | None  # mean mass on special keys
    pool: int  # a pixel is the maximum of pool × pool weights


def head_overview(
    weights_by_layer: Sequence[Float32[np.ndarray, "head query key"]],
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    special_queries: Bool[np.ndarray, " query"] | None = None,
    special_keys: Bool[np.ndarray, " key"] | None = None,
) -> HeadOverview:
    """Code every head's map and find its strongest pair."""
    raise NotImplementedError
