"""Two maps of the same tokens, before and after a change: how much of the attention stayed.

Rows sum to one, so what two rows share, Σ min, and what went elsewhere, ½ Σ |p − q| (total
variation), sum to one as well. Both are means over the queries.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

Map = Float32[np.ndarray, "query key"]


def shared_attention(one: Map, other: Map) -> float:
    """From 0 (no key in common) to 1 (equal)."""
    return float(np.minimum(one, other).sum(axis=-1).mean())


def moved_attention(before: Map, after: Map) -> float:
    """The share of a query's attention that goes elsewhere."""
    return float(np.abs(after - before).sum(axis=-1).mean() / 2)


def moved_along(weights: Map, places: Sequence[int]) -> Map:
    """The map of a head that looks at places only, when token i stands where places[i] was."""
    order = np.asarray(places)
    return weights[np.ix_(order, order)]
