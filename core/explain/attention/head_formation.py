"""How a head forms: what one map's weights did at each of several moments of a training.

The patterns are those of `atlas`; relative entropy is the rows' mean entropy as a share of the
largest that their keys allow: 1 where a head looks everywhere alike, 0 where at one place.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Bool, Float32

from core.explain.attention.attention_distance import entropy_bits
from core.explain.attention.head_atlas import mass_on, text_patterns

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
    patterns = dict(text_patterns(maps.shape[-1], special))
    if said is not None:
        del patterns["next"]
        if (followed := what_followed(said)).any():
            patterns["followed"] = followed
    return {
        name: np.array([mass_on(weights, pattern) for weights in maps], dtype=np.float32)
        for name, pattern in patterns.items()
    }


def what_followed(said: Sequence[str]) -> Bool[np.ndarray, "query key"]:
    """The keys that came right after an earlier occurrence of the query's token.

    Example: A B A -> the last query's key 1.
    """
    tokens = np.array(said)
    followed = np.zeros((len(tokens), len(tokens)), dtype=bool)
    followed[:, 1:] = tokens[:, None] == tokens[None, :-1]
    return np.tril(followed, k=-1)


def relative_entropy(maps: Maps, *, causal: bool = False) -> Curve:
    """Mean over the queries that have a choice, moment by moment; rows sum to one."""
    n_queries, n_keys = map(int, maps.shape[-2:])
    allowed = np.arange(1, n_queries + 1) if causal else np.full(n_queries, n_keys)
    choosing = allowed > 1
    shares = entropy_bits(maps)[:, choosing] / np.log2(allowed[choosing])
    return shares.mean(axis=-1).astype(np.float32)
