"""A head atlas: what each head does on this input, as one label with its score.

Text heads follow the patterns of Clark et al. 2019, https://arxiv.org/abs/1906.04341, section
3 (previous and next token, the token itself, separators, broad); picture heads those of
Dosovitskiy et al. 2021, figure 7, and of row and column attention. A label describes where
the weights lie on one input; it does not say what the head is for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, Int

from core.explain.attention.attention_distance import entropy_bits, patch_distances
from core.trace import AttentionKind, AttentionLayer, PatchGrid, Trace, refuse_sink

CLEAR = 0.4  # a pattern that holds less of a head's mass than this does not name it
BROAD = 0.9  # of the largest possible entropy
NEIGHBOURHOOD = 1.5  # patches: a patch and the eight around it
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
    distance: float  # tokens, or patches: mean |query − key|, weighted by attention
    label: str
    score: float  # the mean mass on the label's pattern; for broad, the relative entropy
    masses: Mapping[str, float]  # the mean mass on every pattern


def head_atlas(trace: Trace, kind: AttentionKind | None = None) -> tuple[HeadSummary, ...]:
    """Every head of a kind, layer by layer. Raises InputError for a model with a learned sink."""
    kind = kind or trace.kinds[0]
    if kind == AttentionKind.CROSS:
        raise ValueError("an atlas is of self-attention: queries and keys are the same positions")
    refuse_sink(trace.layers[kind], "An atlas of heads")
    encoding = trace.query_encoding(kind)
    special = None if encoding is None else encoding.special
    return tuple(summary for layer in trace.layers[kind] for summary in _summaries(layer, special))


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


def _summaries(layer: AttentionLayer, special: np.ndarray | None) -> list[HeadSummary]:
    weights = layer.weights
    patterns, distances = _patterns(layer, special)
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


def _patterns(
    layer: AttentionLayer, special: np.ndarray | None
) -> tuple[Mapping[str, Bool[np.ndarray, "query key"]], Float32[np.ndarray, "query key"]]:
    """What counts as a pattern, and how far apart a query and a key are."""
    if layer.query_grid is not None and layer.key_grid is not None:
        return _patch_patterns(layer.query_grid, layer.key_grid)
    n = layer.map_shape[0]
    return text_patterns(n, special), np.abs(_steps(n)).astype(np.float32)


def text_patterns(
    n_tokens: int, special: Bool[np.ndarray, " token"] | None = None
) -> Mapping[str, Bool[np.ndarray, "query key"]]:
    """Which keys count as a pattern of each query's; `special` marks separators and the like."""
    steps = _steps(n_tokens)
    patterns = {"itself": steps == 0, "previous": steps == -1, "next": steps == 1}
    first = np.zeros((n_tokens, n_tokens), dtype=bool)
    first[2:, 0] = True  # for the first two, it is the token itself, or the one before
    patterns["first"] = first
    if special is not None and special.any():
        patterns["special"] = np.broadcast_to(special, (n_tokens, n_tokens))
    return patterns


def _steps(n_tokens: int) -> Int[np.ndarray, "query key"]:
    return np.arange(n_tokens)[None] - np.arange(n_tokens)[:, None]  # key − query


def _patch_patterns(
    queries: PatchGrid, keys: PatchGrid
) -> tuple[Mapping[str, np.ndarray], Float32[np.ndarray, "query key"]]:
    """Where keys are pooled, a query's own row is the pooled row that holds it."""
    shape = tuple(grid.n_tokens for grid in (queries, keys))
    first_query, first_key = queries.prefix_tokens, keys.prefix_tokens

    def among_patches(pattern: np.ndarray) -> np.ndarray:
        whole = np.zeros(shape, dtype=pattern.dtype)
        whole[first_query:, first_key:] = pattern
        return whole

    distances = patch_distances(queries, keys)
    coarser = max(queries.rows / keys.rows, queries.columns / keys.columns)
    row, column = np.divmod(np.arange(queries.n_patches), queries.columns)
    key_row, key_column = np.divmod(np.arange(keys.n_patches), keys.columns)
    patterns = {
        "local": among_patches(distances < NEIGHBOURHOOD * coarser),
        "row": among_patches((row * keys.rows // queries.rows)[:, None] == key_row),
        "column": among_patches((column * keys.columns // queries.columns)[:, None] == key_column),
    }
    if first_key:
        sink = np.zeros(shape, dtype=bool)
        sink[first_query:, :first_key] = True
        patterns["sink"] = sink
    return patterns, among_patches(distances)


def mass_on(
    weights: Float32[np.ndarray, "query key"], pattern: Bool[np.ndarray, "query key"]
) -> float:
    """The mean mass on a pattern, over the queries that it has a key for."""
    concerned = pattern.any(axis=-1)
    if not concerned.any():
        return 0.0
    return float(np.where(pattern, weights, 0)[concerned].sum(axis=-1).mean())
