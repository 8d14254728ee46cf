"""How a head forms: what one map's weights did at each of several moments of a training.

The patterns are those of `atlas`; relative entropy is the rows' mean entropy as a share of the
largest that their keys allow: 1 where a head looks everywhere alike, 0 where at one place.
"""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Bool, Float32

from core.explain.atlas import mass_on, text_patterns
from core.explain.distance import entropy_bits

Maps = Float32[np.ndarray, "moment query key"]
Curve = Float32[np.ndarray, " moment"]


def pattern_masses(
    maps: Maps, special: Bool[np.ndarray, " token"] | None = None
) -> Mapping[str, Curve]:
    """Mean mass of a self-attention head on each pattern, moment by moment."""
    patterns = text_patterns(maps.shape[-1], special)
    return {
        name: np.array([mass_on(weights, pattern) for weights in maps], dtype=np.float32)
        for name, pattern in patterns.items()
    }


def relative_entropy(maps: Maps, *, causal: bool = False) -> Curve:
    """Mean over the queries that have a choice, moment by moment; rows sum to one."""
    n_queries, n_keys = maps.shape[-2:]
    allowed = np.arange(1, n_queries + 1) if causal else np.full(n_queries, n_keys)
    choosing = allowed > 1
    shares = entropy_bits(maps)[:, choosing] / np.log2(allowed[choosing])
    return shares.mean(axis=-1).astype(np.float32)
