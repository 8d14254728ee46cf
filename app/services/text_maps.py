"""A traced text's maps, each worked out once for all who look at it."""

import numpy as np

from app.services.engine import TextTrace, derived
from core.errors import InputError
from core.explain.attention.head_overview import HeadOverview, head_overview
from core.explain.attention.worked_weight import WorkedCell, worked_cell
from core.trace import AttentionKind, Encoding, Trace, has_sink, whole_rows, with_sink


def weights(traced: TextTrace, kind: AttentionKind, layer: int) -> np.ndarray:
    """(head, query, key) of one layer, computed once for all who look at it."""
    key = ("weights", traced.request, kind, layer)
    return derived(key, lambda: traced.trace.attention(layer, kind=kind).weights)


def columns(trace: Trace, kind: AttentionKind) -> Encoding:
    """What stands over a kind's maps when rows are to be read whole: the tokens, and a sink."""
    _, keys = encodings(trace, kind)
    return with_sink(keys) if has_sink(trace.layers[kind]) else keys


def maps(traced: TextTrace, kind: AttentionKind, layer: int) -> np.ndarray:
    """(head, query, column) over `columns`: `weights`, and a sink's column where there is one."""
    if not has_sink(traced.trace.layers[kind]):
        return weights(traced, kind, layer)
    key = ("whole rows", traced.request, kind, layer)
    return derived(key, lambda: whole_rows(traced.trace.attention(layer, kind=kind)))


def overview(traced: TextTrace, kind: AttentionKind) -> HeadOverview:
    """All heads of a kind, as the grid draws them."""

    def compute() -> HeadOverview:
        queries, keys = encodings(traced.trace, kind)[0], columns(traced.trace, kind)
        layers = traced.trace.layers[kind]
        return head_overview(
            (whole_rows(layer) if has_sink(layers) else layer.weights for layer in layers),
            n_heads=sum(layer.n_heads for layer in layers),
            query_tokens=queries.tokens,
            key_tokens=keys.tokens,
            special_queries=queries.special,
            special_keys=keys.special,
        )

    return derived(("overview", traced.request, kind), compute)


def encodings(trace: Trace, kind: AttentionKind) -> tuple[Encoding, Encoding]:
    """What the rows and the columns of a kind's maps stand for."""
    queries, keys = trace.query_encoding(kind), trace.key_encoding(kind)
    if queries is None or keys is None:
        raise ValueError("a text's trace has encodings")
    return queries, keys


def cell(
    trace: Trace, kind: AttentionKind, *, layer: int, place: tuple[int, int, int]
) -> WorkedCell:
    """One weight (head, query, key), worked out. Raises InputError where q and k are hidden."""
    attention = trace.attention(layer, kind=kind)
    queries, keys = encodings(trace, kind)
    if attention.queries is None or attention.keys is None or attention.values is None:
        raise InputError(
            "This model writes out its own softmax and hides queries and keys, so a single "
            "weight can't be worked out. Its maps are exact all the same."
        )
    return worked_cell(
        attention.queries,
        attention.keys,
        attention.values,
        bias=attention.bias,
        scale=attention.scale,
        cell=place,
        query_tokens=queries.tokens,
        key_tokens=keys.tokens,
    )
