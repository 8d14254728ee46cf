"""Induction heads: those that find what came after this token last time.

On random tokens, repeated, nothing but the repetition can be predicted. A head's induction
score is the mean weight from a token of a later copy to the token *after* the same token's
earlier places. Olsson et al. 2022, "In-context Learning and Induction Heads",
https://arxiv.org/abs/2209.11895 ("prefix matching score"); Elhage et al. 2021 for the
previous-token heads that they build on.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.trace import read_only


def repeated_sequence(
    vocabulary: Sequence[int], *, length: int, copies: int = 2, seed: int = 0
) -> tuple[int, ...]:
    """`copies` times the same `length` random ids, no id twice in a copy.

    Raises InputError for less than two tokens or copies, or more tokens than there are.
    """
    if length < 2 or copies < 2:
        raise InputError(
            f"{length} tokens, {copies} copies: an induction test needs at least 2 of each."
        )
    if length > len(vocabulary):
        raise InputError(
            f"{length} different tokens were asked, but the vocabulary offers {len(vocabulary)}. "
            "Take fewer."
        )
    drawn = np.random.default_rng(seed).choice(np.array(vocabulary), size=length, replace=False)
    return tuple(drawn.tolist()) * copies


def induction_scores(
    weights_by_layer: Sequence[Float32[np.ndarray, "head query key"]],
    *,
    length: int,
    start: int = 0,
) -> Float32[np.ndarray, "layer head"]:
    """Mean weight on the tokens that followed this token in earlier copies, from 0 to 1.

    start: tokens before the first copy, such as a start token.
    """
    size = int(weights_by_layer[0].shape[-1])
    queries = np.arange(start + length, size)
    wanted = np.zeros((size, size), dtype=bool)
    for back in range(length, size, length):  # the copies before, nearest first
        sources = queries - back + 1
        inside = queries - back >= start
        wanted[queries[inside], sources[inside]] = True
    return _mean_mass(weights_by_layer, wanted, len(queries))


def previous_token_scores(
    weights_by_layer: Sequence[Float32[np.ndarray, "head query key"]],
) -> Float32[np.ndarray, "layer head"]:
    """Mean weight on the token just before."""
    size = weights_by_layer[0].shape[-1]
    return _mean_mass(weights_by_layer, np.eye(size, k=-1, dtype=bool), size - 1)


def _mean_mass(
    weights_by_layer: Sequence[np.ndarray], wanted: np.ndarray, n_queries: int
) -> np.ndarray:
    """(layer, head): a row's weight on the wanted keys, mean over the queries that have any."""
    sums = [weights[:, wanted].sum(axis=-1) / n_queries for weights in weights_by_layer]
    return read_only(np.stack(sums).astype(np.float32))
