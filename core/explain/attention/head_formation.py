"""How a head forms: what one map's weights did at each of several moments of a training.

Relative entropy is the rows' mean entropy as a share of the
largest that their keys allow: 1 where a head looks everywhere alike, 0 where at one place.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Bool, Float32

from core.explain.attention.attention_distance import entropy_bits
from core.explain.attention.role_patterns import OFFSETS, mass_on, what_followed

Maps = Float32[np.ndarray, "moment query key"]
Curve = Float32[np.ndarray, " moment"]


def pattern_masses(
    maps: Maps,
    special: Bool[np.ndarray, " token"] | None = None,
    *,
    said: Sequence[str] | None = None,
) -> Mapping[str, Curve]:
    """Mean mass of a self-attention head on each pattern, moment by moment.

    said: a causal head's tokens. It has no key after its query; where a token comes again, it
    may look at what followed it before (induction, Olsson et al. 2022).
    """
    patterns = _patterns(maps.shape[-1], special)
    if said is not None:
        del patterns["next"]
        if (followed := what_followed(said)).any():
            patterns["followed"] = followed
    return {
        name: np.array([mass_on(weights, pattern) for weights in maps], dtype=np.float32)
        for name, pattern in patterns.items()
    }


def _patterns(
    n_tokens: int, special: Bool[np.ndarray, " token"] | None
) -> dict[str, Bool[np.ndarray, "query key"]]:
    places = np.arange(n_tokens)
    steps = places[None] - places[:, None]  # key − query
    patterns = {name: steps == OFFSETS[name] for name in ("itself", "previous", "next")}
    # For the first two queries, the first token is the token itself, or the one before.
    patterns["first"] = (places >= 2)[:, None] & (places == 0)
    if special is not None and special.any():
        patterns["special"] = np.broadcast_to(special, (n_tokens, n_tokens))
    return patterns


def relative_entropy(maps: Maps, *, causal: bool = False) -> Curve:
    """Mean over the queries that have a choice, moment by moment; rows sum to one."""
    n_queries, n_keys = map(int, maps.shape[-2:])
    allowed = np.arange(1, n_queries + 1) if causal else np.full(n_queries, n_keys)
    choosing = allowed > 1
    shares = entropy_bits(maps)[:, choosing] / np.log2(allowed[choosing])
    return shares.mean(axis=-1).astype(np.float32)
