"""A head atlas of one picture: where each head looks here, as one label with its score.

One picture is one example: a label describes where the weights lie on it, and says no more than
that. What heads do over many inputs, with intervals: `head_roles`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import InputError
from core.explain.attention.attention_distance import entropy_bits
from core.explain.attention.head_roles import MARGIN, NEARLY_ALL, NO_ROLE, role_masses
from core.explain.attention.role_patterns import BROAD, patch_patterns
from core.trace import AttentionKind, AttentionLayer, Trace


@dataclass(frozen=True, slots=True)
class HeadSummary:
    """One head on one input."""

    layer: int
    head: int
    entropy: float  # bits, mean over queries
    relative_entropy: float  # of the largest that the mask allows: 1 is uniform
    distance: float  # patches: mean |query − key|, weighted by attention
    label: str
    score: float  # the mean mass on the label's places; for broad, the relative entropy
    masses: Mapping[str, float]  # the mean mass on every role's places


def head_atlas(trace: Trace, kind: AttentionKind | None = None) -> tuple[HeadSummary, ...]:
    """Every head of a kind, layer by layer. Raises InputError where a layer has no patches."""
    kind = kind or trace.kinds[0]
    found = role_masses(trace, kind)
    summaries: list[HeadSummary] = []
    for layer, masses, even in zip(trace.layers[kind], found.masses, found.even, strict=True):
        for head, (entropy, distance) in enumerate(_spread(trace.model_id, layer)):
            held = dict(zip(found.roles, masses[:, head].tolist(), strict=True))
            above = dict(zip(found.roles, (masses - even)[:, head].tolist(), strict=True))
            relative = held.pop(BROAD)
            label, score = _label(held, above, relative)
            summaries.append(
                HeadSummary(
                    *(layer.index, head),
                    *(entropy, relative, distance),
                    *(label, score),
                    held,
                )
            )
    return tuple(summaries)


def _spread(model: str, layer: AttentionLayer) -> list[tuple[float, float]]:
    """Each head's entropy in bits, and its distance in patches."""
    if layer.query_grid is None or layer.key_grid is None:
        raise InputError(f"{model}: layer {layer.index} has no grid of patches.")
    weights = layer.weights
    distances = patch_patterns(layer.query_grid, layer.key_grid)[1]
    far = (weights * distances).sum(axis=-1).mean(axis=-1)
    return list(zip(entropy_bits(weights).mean(axis=-1).tolist(), far.tolist(), strict=True))


def _label(
    masses: Mapping[str, float], above: Mapping[str, float], relative: float
) -> tuple[str, float]:
    if relative >= NEARLY_ALL:
        return BROAD, relative
    strongest = max(masses, key=above.__getitem__)
    return (strongest if above[strongest] > MARGIN else NO_ROLE), masses[strongest]
