"""What BertViz's views draw, taken from a trace: one value a kind of attention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.trace import AttentionLayer, Trace


@dataclass(frozen=True, slots=True, eq=False)
class KindMaps:
    """One kind's maps, first layer first. Queries and keys only serve the neuron view."""

    kind: str  # "encoder", "decoder" or "cross"
    query_tokens: Sequence[str]
    key_tokens: Sequence[str]
    weights: Sequence[Float32[np.ndarray, "head query key"]]
    queries: Sequence[Float32[np.ndarray, "head query d_head"]] = ()
    keys: Sequence[Float32[np.ndarray, "head key d_head"]] = ()
    scales: Sequence[float] = ()  # what a layer multiplies query · key with
    causal: bool = False

    def __post_init__(self) -> None:
        expected = (len(self.query_tokens), len(self.key_tokens))
        for index, weights in enumerate(self.weights):
            if weights.shape[1:] != expected:
                raise ValueError(
                    f"{self.kind} layer {index} is {weights.shape[1:]} (query, key), "
                    f"but the token lists have lengths {expected}"
                )


def maps_of(trace: Trace) -> tuple[KindMaps, ...]:
    """All that the three views draw of a trace; computes every layer's weights."""
    return tuple(_maps_of_kind(trace, kind, layers) for kind, layers in trace.layers.items())


def _maps_of_kind(trace: Trace, kind: str, layers: Sequence[AttentionLayer]) -> KindMaps:
    queries = trace.query_encoding(layers[0].kind)
    keys = trace.key_encoding(layers[0].kind)
    if queries is None or keys is None:
        raise ValueError(f"{trace.model_id} is no text model: its {kind} maps have no tokens")
    vectors = [(layer.queries, layer.keys) for layer in layers]
    whole = [(q, k) for q, k in vectors if q is not None and k is not None]
    shown = whole if len(whole) == len(layers) else []
    return KindMaps(
        kind=str(kind),
        query_tokens=queries.tokens,
        key_tokens=keys.tokens,
        weights=[layer.weights for layer in layers],
        queries=[q for q, _ in shown],
        keys=[k for _, k in shown],
        scales=[layer.scale for layer in layers],
        causal=kind == "decoder",
    )


def hides_queries(kinds: Sequence[KindMaps]) -> str | None:
    """Why the neuron view can't be drawn, or None where it can."""
    if all(maps.queries and maps.keys for maps in kinds):
        return None
    return (
        "This model computes its softmax inside its own code, where only the weights can be seen: "
        "the neuron view needs queries and keys. The head and model views work."
    )
