"""A head atlas of pictures: what each head does on this picture, as one label with its score.

The patterns are those of Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, figure 7, and
of row and column attention. A label describes where the weights lie on one picture, or the mean
of a few; it does not say what the head is for. What text heads do over many texts: `head_roles`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.explain.attention.attention_distance import entropy_bits
from core.explain.attention.role_patterns import mass_on, patch_patterns
from core.trace import AttentionKind, AttentionLayer, Trace

CLEAR = 0.4  # a pattern that holds less of a head's mass than this does not name it
BROAD = 0.9  # of the largest possible entropy
PICTURE_LABELS: Mapping[str, str] = {
    "local": "patches look at themselves and at the eight around them",
    "row": "patches look along their own row",
    "column": "patches look along their own column",
    "sink": "patches look at class or register tokens",
    "broad": f"the entropy is at least {BROAD:.0%} of the largest possible",
    "mixed": f"no pattern holds {CLEAR:.0%} of the weight",
}


@dataclass(frozen=True, slots=True)
class HeadSummary:
    """One head on one input."""

    layer: int
    head: int
    entropy: float  # bits, mean over queries
    relative_entropy: float  # of the largest that the mask allows: 1 is uniform
    distance: float  # patches: mean |query − key|, weighted by attention
    label: str
    score: float  # the mean mass on the label's pattern; for broad, the relative entropy
    masses: Mapping[str, float]  # the mean mass on every pattern


def head_atlas(trace: Trace, kind: AttentionKind | None = None) -> tuple[HeadSummary, ...]:
    """Every head of a kind, layer by layer. Raises InputError where a layer has no patches."""
    layers = trace.layers[kind or trace.kinds[0]]
    return tuple(summary for layer in layers for summary in _summaries(trace.model_id, layer))


def mean_atlas(atlases: Sequence[Sequence[HeadSummary]]) -> tuple[HeadSummary, ...]:
    """The same heads over several inputs: mean scores, labelled anew."""
    return tuple(_mean_summary(same) for same in zip(*atlases, strict=True))


def _mean_summary(same: Sequence[HeadSummary]) -> HeadSummary:
    def mean(values: Iterable[float]) -> float:
        return float(np.mean(list(values)))

    masses = {name: mean(one.masses[name] for one in same) for name in same[0].masses}
    relative = mean(one.relative_entropy for one in same)
    label, score = _label(masses, relative)
    return HeadSummary(
        layer=same[0].layer,
        head=same[0].head,
        entropy=mean(one.entropy for one in same),
        relative_entropy=relative,
        distance=mean(one.distance for one in same),
        label=label,
        score=score,
        masses=masses,
    )


def _summaries(model: str, layer: AttentionLayer) -> list[HeadSummary]:
    if layer.query_grid is None or layer.key_grid is None:
        raise InputError(f"{model}: layer {layer.index} has no grid of patches.")
    weights = layer.weights
    patterns, distances = patch_patterns(layer.query_grid, layer.key_grid)
    entropy = entropy_bits(weights).mean(axis=-1)
    possible = np.log2(np.maximum(layer.allowed().sum(axis=-1), 1)).mean()
    distance = (weights * distances).sum(axis=-1).mean(axis=-1)
    summaries: list[HeadSummary] = []
    for head in range(len(weights)):
        masses = {name: mass_on(weights[head], pattern) for name, pattern in patterns.items()}
        relative = float(entropy[head] / possible) if possible > 0 else 0.0
        label, score = _label(masses, relative)
        summaries.append(
            HeadSummary(
                layer=layer.index,
                head=head,
                entropy=float(entropy[head]),
                relative_entropy=relative,
                distance=float(distance[head]),
                label=label,
                score=score,
                masses=masses,
            )
        )
    return summaries


def _label(masses: Mapping[str, float], relative_entropy: float) -> tuple[str, float]:
    if relative_entropy >= BROAD:
        return "broad", relative_entropy
    strongest = max(masses, key=masses.__getitem__)
    return (strongest if masses[strongest] >= CLEAR else "mixed"), masses[strongest]
