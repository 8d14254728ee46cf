"""Positions as numbers added to the scores: ALiBi, T5's buckets, Swin's windows.

* Press, Smith & Lewis, "Train Short, Test Long", ICLR 2022, section 3.
  https://arxiv.org/abs/2108.12409
* Raffel et al., "Exploring the Limits of Transfer Learning", JMLR 2020, section 2.1.
  https://arxiv.org/abs/1910.10683
* Liu et al., "Swin Transformer", ICCV 2021, section 3.2, equation 4.
  https://arxiv.org/abs/2103.14030
"""

import math

import numpy as np
from jaxtyping import Float32, Int64

from core.errors import InputError
from core.positions.sizes import check_positions, check_table
from core.trace import read_only


def alibi_slopes(n_heads: int) -> Float32[np.ndarray, " head"]:
    """2^(−8/n), 2^(−16/n), …; if n is no power of two, every second slope of 2n heads is added."""
    if n_heads < 1:
        raise InputError(f"{n_heads} heads have no slopes. Give at least one head.")
    power: int = 2 ** int(math.log2(n_heads))
    slopes = 2.0 ** (-8 / power * np.arange(1, power + 1))
    between = 2.0 ** (-4 / power * np.arange(1, 2 * power + 1, 2))
    return read_only(np.concatenate([slopes, between])[:n_heads].astype(np.float32))


def alibi(
    n_positions: int, n_heads: int, *, causal: bool = True
) -> Float32[np.ndarray, "head query key"]:
    """−m (i − j) for a key j before the query i; what comes later is masked with −∞.

    Without `causal` both sides are open and the bias is −m |i − j|: not the paper's, whose
    models are all causal, but what one may try on an encoder.
    """
    check_positions(n_positions)
    check_table(n_heads, n_positions, n_positions)
    behind = np.arange(n_positions)[:, None] - np.arange(n_positions)  # i − j
    bias = -alibi_slopes(n_heads)[:, None, None] * np.abs(behind).astype(np.float32)
    return read_only(np.where(behind < 0, np.float32(-np.inf), bias) if causal else bias)


def t5_buckets(
    n_queries: int,
    n_keys: int,
    *,
    bidirectional: bool = True,
    n_buckets: int = 32,
    max_distance: int = 128,
) -> Int64[np.ndarray, "query key"]:
    """The bucket of each distance: near ones have their own, far ones share by logarithm.

    Of both directions each has half the buckets; with one, all later keys fall into bucket 0.
    """
    check_positions(min(n_queries, n_keys))
    check_table(n_queries, n_keys)
    ahead = np.arange(n_keys) - np.arange(n_queries)[:, None]  # key − query, as T5 counts
    if bidirectional:
        n_buckets //= 2
        side = np.where(ahead > 0, n_buckets, 0)
        distance = np.abs(ahead)
    else:
        side, distance = 0, np.maximum(-ahead, 0)
    n_exact = n_buckets // 2
    # float32, as in the reference: a distance on a border may fall to either side
    ratio = np.log(np.maximum(distance, 1).astype(np.float32) / np.float32(n_exact))
    shared = n_exact + (ratio / math.log(max_distance / n_exact) * (n_buckets - n_exact)).astype(
        np.int64
    )
    far = np.minimum(shared, n_buckets - 1)
    return (side + np.where(distance < n_exact, distance, far)).astype(np.int64)


def falling(strength: float, n_buckets: int = 32) -> Float32[np.ndarray, " bucket"]:
    """Values for `t5_bias` that nobody learned: −strength a bucket of distance, both ways alike."""
    return -np.float32(strength) * (np.arange(n_buckets) % (n_buckets // 2)).astype(np.float32)


def t5_bias(
    buckets: Int64[np.ndarray, "query key"], values: Float32[np.ndarray, " bucket"]
) -> Float32[np.ndarray, "query key"]:
    """One head's bias: the learned number of each pair's bucket. All layers share it."""
    if int(buckets.max()) >= len(values):
        raise InputError(
            f"{len(values)} values came, but there is a bucket {int(buckets.max())}. "
            "Give a value for every bucket."
        )
    return read_only(values[buckets])


def swin_relative_index(window: int) -> Int64[np.ndarray, "query key"]:
    """Which of the (2M − 1)² learned numbers each pair of a window's M² patches takes."""
    if not 1 <= window <= 64:
        raise InputError(f"A window of {window} patches a side. Give 1 to 64.")
    rows, columns = np.divmod(np.arange(window * window), window)
    across = rows[:, None] - rows + window - 1
    along = columns[:, None] - columns + window - 1
    return across * (2 * window - 1) + along


def swin_bias(
    table: Float32[np.ndarray, "offset head"], window: int
) -> Float32[np.ndarray, "head query key"]:
    """The bias B of equation 4 for every head, from its learned table of (2M − 1)² rows."""
    expected = (2 * window - 1) ** 2
    if len(table) != expected:
        raise InputError(
            f"The table has {len(table)} rows, but a window of {window} × {window} patches has "
            f"{expected} offsets. Give one row an offset."
        )
    return read_only(np.moveaxis(table[swin_relative_index(window)], -1, 0))
