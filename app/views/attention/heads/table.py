"""One line a head: where it looks on this text, whom it is like, and its measured name."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from core.data.known_roles import Layers, Roles
from core.explain.attention.attention_distance import relative_entropies
from core.explain.attention.head_distances import HeadDistances
from core.explain.attention.head_roles import NO_ROLE, HeadRole
from core.trace import AttentionLayer

NO_NAME: Final = NO_ROLE
RESTS: Final = ("first", "separator")  # where heads park what they have no use for


def group_of(head: tuple[int, int], named: Layers | None) -> str:
    """What the map colours a head by: its name, or else its layer."""
    layer, at = head
    return f"layer {layer}" if named is None else named[layer][at].label


def head_table(
    layers: Sequence[AttentionLayer],
    distances: HeadDistances,
    named: Layers | None,
    measured: Roles | None,
) -> Mapping[str, Sequence[float | str | None]]:
    """Columns by name; numbers as numbers, so that they sort."""
    entropies = [
        float(value)
        for layer in layers
        for value in relative_entropies(layer.weights, layer.allowed())
    ]
    nearest = [distances.nearest(head, 1) for head in distances.heads]
    at = {head: place for place, head in enumerate(distances.heads)}
    table: dict[str, Sequence[float | str | None]] = {
        "head": [f"{layer}.{head}" for layer, head in distances.heads],
        "entropy, share of the largest": [None if np.isnan(v) else v for v in entropies],
        "most like": [f"{other[0][0]}.{other[0][1]}" if other else None for other in nearest],
        "bits apart": [
            float(distances.divergence[at[head], at[other[0]]]) if other else None
            for head, other in zip(distances.heads, nearest, strict=True)
        ],
    }
    if named is None or measured is None:
        return table
    heads = [named[layer][head] for layer, head in distances.heads]
    table["name"] = [head.label for head in heads]
    table["strongest role"] = [head.strongest for head in heads]
    table["its share"] = [_score(head, head.strongest, "mass") for head in heads]
    table["even attention"] = [_score(head, head.strongest, "baseline") for head in heads]
    table |= _resting(distances, measured)
    return table


def _resting(
    distances: HeadDistances, measured: Roles
) -> Mapping[str, Sequence[float | str | None]]:
    """How much rests where there may be nothing to say, by weight and beside it by ‖αf(x)‖."""
    ways = {"looks": measured.weights, "writes": measured.written}
    return {
        f"{rest}: {way}": [_score(layers[at][head], rest, "mass") for at, head in distances.heads]
        for rest in RESTS
        for way, layers in ways.items()
        if layers is not None
    }


def _score(head: HeadRole, role: str, part: str) -> float | None:
    score = head.scores.get(role)
    return None if score is None else float(getattr(score, part))
