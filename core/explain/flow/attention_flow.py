"""Attention flow: the most attention that can run from an output back to an input.

Abnar & Zuidema 2020, https://arxiv.org/abs/2005.00928, section 3: the layers' maps are the
capacities of a network of (layers + 1) × positions nodes, and an output's flow to an input is
the maximum flow between them. Unlike in rollout, a path carries no more than its narrowest
edge.
"""

# scipy.sparse.csgraph comes without types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.explain.flow.rollout import fuse_heads
from core.trace import AttentionKind, Trace, read_only, refuse_sink

MOST_POSITIONS = 64  # the network has layers × positions² edges, solved once per pair
UNIT = 1_000_000  # the solver counts in integers: a capacity of one is a million


def attention_flow(
    trace: Trace,
    kind: AttentionKind | None = None,
    *,
    queries: Sequence[int] | None = None,
    residual: float = 0.5,
) -> Float32[np.ndarray, "query key"]:
    """The flow from each of `queries` (all by default) to each input; rows sum to one.

    Capacities are (1 − residual) · mean over heads + residual · I, rounded to a millionth.
    Raises InputError for more than 64 positions (pool the maps of a picture first), and for a
    model with a learned sink.
    """
    layers = [trace.attention(index, kind=kind) for index in range(trace.n_layers(kind))]
    refuse_sink(layers, "Flow")
    maps = [fuse_heads(layer.weights) for layer in layers]
    return flow_of_maps(maps, queries=queries, residual=residual)


def flow_of_maps(
    maps: Sequence[Float32[np.ndarray, "position position"]],
    *,
    queries: Sequence[int] | None = None,
    residual: float = 0.5,
) -> Float32[np.ndarray, "query key"]:
    """The same from fused maps, the first layer first."""
    n = len(maps[0])
    _refuse_too_many(n)
    from scipy.sparse.csgraph import maximum_flow  # 0.3 s, for this method alone

    network = _network(maps, residual)
    chosen = range(n) if queries is None else queries
    flow = np.zeros((len(chosen), n), dtype=np.float32)
    top = len(maps) * n  # nodes of the last layer's outputs come last
    for row, query in enumerate(chosen):
        for key in range(n):
            flow[row, key] = maximum_flow(network, top + query, key).flow_value / UNIT
    return read_only(flow / flow.sum(axis=1, keepdims=True))


def flow_row(
    maps: Sequence[Float32[np.ndarray, "position position"]],
    start: Float32[np.ndarray, " position"],
    *,
    residual: float = 0.5,
) -> Float32[np.ndarray, " key"]:
    """The flow to each input from a source that feeds output q with capacity `start[q]`.

    One output by itself is `rollout.one_hot`; all patches alike, `rollout.mean_of_patches`.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    _refuse_too_many(len(maps[0]))
    n, top = len(maps[0]), len(maps) * len(maps[0])
    inner = _network(maps, residual).tocoo()
    fed = np.flatnonzero(start)
    source = inner.shape[0]
    capacities = np.concatenate([inner.data, np.round(start[fed] * UNIT).astype(np.int32)])
    rows = np.concatenate([inner.coords[0], np.full(len(fed), source)])
    columns = np.concatenate([inner.coords[1], top + fed])
    shape = (source + 1, source + 1)
    network = csr_array((capacities, (rows, columns)), shape=shape, dtype=np.int32)
    flow = [maximum_flow(network, source, key).flow_value for key in range(n)]
    row = np.array(flow, dtype=np.float32)
    return read_only(row / row.sum())


def _refuse_too_many(n: int) -> None:
    if n > MOST_POSITIONS:
        raise InputError(
            f"Attention flow solves a network for every pair of positions: {n} are too many, "
            f"{MOST_POSITIONS} are the most. Pool the picture's patches, or shorten the text."
        )


def _network(maps: Sequence[np.ndarray], residual: float) -> Any:
    """Edges from a layer's outputs (queries) down to its inputs (keys), as integers."""
    from scipy.sparse import csr_array

    n = len(maps[0])
    size = (len(maps) + 1) * n
    sources, targets, capacities = [], [], []
    for layer, fused in enumerate(maps):
        mixed = (1 - residual) * fused + residual * np.eye(n, dtype=np.float32)
        query, key = np.nonzero(mixed)
        sources.append((layer + 1) * n + query)
        targets.append(layer * n + key)
        capacities.append(np.round(mixed[query, key] * UNIT).astype(np.int32))
    edges = (np.concatenate(sources), np.concatenate(targets))
    return csr_array((np.concatenate(capacities), edges), shape=(size, size), dtype=np.int32)
