"""Two sentences that differ in little: which heads look elsewhere in the second, and by how much.

Tokens are aligned one by one. Of a query that both sentences have, let p and q be a head's rows
over the K aligned keys and over one column more, which holds together all keys that have no
partner. Both rows sum to one, so q − p sums to zero: what leaves one column goes to another, and

    moved(query) = ½ Σ_k |q_k − p_k|,  k = 1 … K + 1        (total variation, from 0 to 1)

is the share of the query's attention that moves. A head's change is its mean over the aligned
queries. It is 0 for equal maps, the same in either order, and counts what moves to or from the
words that differ, but not what moves among them: a head that looks as much at “tired” as at the
“wide” in its place has not changed.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Int64

from core.errors import InputError
from core.explain.attention.token_pairs import TokenPairs, pair_tokens
from core.trace import AttentionKind, Encoding, Trace, has_sink, read_only, whole_rows, with_sink


@dataclass(frozen=True, slots=True, eq=False)
class PairedMaps:
    """Maps of the same heads on both sentences, over the queries and keys that these share.

    The last column is that of all keys without a partner; there is none where all have one.
    """

    first: Float32[np.ndarray, "head query column"]
    second: Float32[np.ndarray, "head query column"]

    @property
    def difference(self) -> Float32[np.ndarray, "head query column"]:
        """Second − first, from −1 to 1; every row sums to zero."""
        return self.second - self.first

    @property
    def moved(self) -> Float32[np.ndarray, "head query"]:
        """The share of each query's attention that moves."""
        half = np.abs(self.difference).sum(axis=-1, dtype=np.float64) / 2
        return np.minimum(half, 1).astype(np.float32)  # rows sum to one up to rounding

    @property
    def change(self) -> Float32[np.ndarray, " head"]:
        """Its mean over the queries."""
        return self.moved.mean(axis=-1, dtype=np.float64).astype(np.float32)


def paired_maps(
    first: Float32[np.ndarray, "head first_query first_key"],
    second: Float32[np.ndarray, "head second_query second_key"],
    queries: TokenPairs,
    keys: TokenPairs,
) -> PairedMaps:
    """What is comparable of two layers' maps, whose rows sum to one."""
    return PairedMaps(
        read_only(_gathered(first, queries.first, keys.first, keys)),
        read_only(_gathered(second, queries.second, keys.second, keys)),
    )


@dataclass(frozen=True, slots=True)
class HeadChange:
    """How much of a head's attention moves, and where most of it does: indices of pairs."""

    layer: int
    head: int
    change: float  # from 0 to 1: mean over the aligned queries, or that of the one asked for
    query: int  # of which the largest share moves, or the one asked for
    moved: float  # its share
    source: int  # the column that loses most there
    target: int  # the column that gains most there


@dataclass(frozen=True, slots=True, eq=False)
class LayerChanges:
    """What moves in one layer's heads, query by query."""

    moved: Float32[np.ndarray, "head query"]
    source: Int64[np.ndarray, "head query"]  # the column that loses most
    target: Int64[np.ndarray, "head query"]  # the column that gains most


@dataclass(frozen=True, slots=True, eq=False)
class MinimalPair:
    """Two sentences in one model."""

    queries: TokenPairs
    keys: TokenPairs  # of the columns: with a learned sink where the model has one
    layers: tuple[LayerChanges, ...]

    def changes(self, query: int | None = None) -> tuple[HeadChange, ...]:
        """Every head, layer by layer: over all aligned queries, or at one of them."""
        return tuple(
            _change(place, layer, head, query)
            for place, layer in enumerate(self.layers)
            for head in range(len(layer.moved))
        )

    def ranked(self, query: int | None = None) -> tuple[HeadChange, ...]:
        """The most changed head first; equal ones by layer and head."""
        return tuple(sorted(self.changes(query), key=lambda one: -one.change))


def minimal_pair(first: Trace, second: Trace, kind: AttentionKind | None = None) -> MinimalPair:
    """Every head's change between two texts that one model has traced.

    kind: of attention; may be left out where there is one.

    Raises InputError for traces of two models, and for texts without a common token.
    """
    if first.model_id != second.model_id:
        raise InputError(
            f"These traces come from two models, {first.model_id} and {second.model_id}. Heads "
            "are compared one by one within a model: trace both texts with the same."
        )
    kind = kind or first.kinds[0]
    queries = pair_tokens(_of(first.query_encoding(kind)), _of(second.query_encoding(kind)))
    sink = has_sink(first.layers[kind])
    ends = [_of(trace.key_encoding(kind)) for trace in (first, second)]
    keys = pair_tokens(*(with_sink(one) if sink else one for one in ends))
    layers = [
        layer_changes(
            paired_maps(
                whole_rows(one) if sink else one.weights,
                whole_rows(other) if sink else other.weights,
                queries,
                keys,
            )
        )
        for one, other in zip(first.layers[kind], second.layers[kind], strict=True)
    ]
    return MinimalPair(queries, keys, tuple(layers))


def layer_changes(maps: PairedMaps) -> LayerChanges:
    """Every head of one layer."""
    difference = maps.difference
    return LayerChanges(
        read_only(maps.moved),
        read_only(difference.argmin(axis=-1)),
        read_only(difference.argmax(axis=-1)),
    )


def _change(place: int, layer: LayerChanges, head: int, query: int | None) -> HeadChange:
    moved = layer.moved[head]
    at = int(moved.argmax()) if query is None else query
    change = moved.mean(dtype=np.float64) if query is None else moved[at]
    source, target = (int(columns[head, at]) for columns in (layer.source, layer.target))
    return HeadChange(place, head, float(change), at, float(moved[at]), source, target)


def _gathered(
    maps: np.ndarray, rows: np.ndarray, columns: np.ndarray, keys: TokenPairs
) -> np.ndarray:
    of_pairs = maps[:, rows]
    shared = of_pairs[:, :, columns]
    if not keys.has_lone:
        return shared
    lone = np.delete(of_pairs, columns, axis=2).sum(axis=2, keepdims=True, dtype=np.float32)
    return np.concatenate([shared, lone], axis=2)


def _of(encoding: Encoding | None) -> Encoding:
    if encoding is None:
        raise InputError("Sentences are compared; this is the trace of a picture.")
    return encoding
