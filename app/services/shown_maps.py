"""From a trace and the reader's choices to the maps that are drawn; no Streamlit here."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32

from app.services import text_maps
from app.services.engine import TextTrace
from core.explain.attention.hide_tokens import hide_tokens, is_punctuation
from core.explain.attention.merge_words import Words, merge_words, words_of
from core.trace import AttentionKind, Encoding

HeadId = tuple[int, int]  # (layer, head), counted from 0


@dataclass(frozen=True)
class Reduction:
    """Which tokens are left out, and whether pieces are merged to words.

    between: of a pair of sentences, only which looks at which.
    """

    words: bool
    without_special: bool
    without_punctuation: bool
    renormalise: bool
    between: tuple[int, int] | None = None  # segments of queries and keys


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """The rows or columns that are drawn, and the tokens that each stands for."""

    labels: tuple[str, ...]
    tokens: tuple[tuple[int, ...], ...]  # token indices of each label
    ids: tuple[tuple[int, ...], ...]  # in the model's vocabulary; none of a sink

    def find(self, token: int) -> int | None:
        """The row or column that a token is part of, if it is drawn."""
        return next((i for i, group in enumerate(self.tokens) if token in group), None)


@dataclass(frozen=True, slots=True, eq=False)
class ShownMaps:
    """What the figure shows, exact."""

    heads: tuple[HeadId, ...]
    names: tuple[str, ...]
    maps: Float32[np.ndarray, "map query key"]
    queries: Axis
    keys: Axis
    visible_keys: np.ndarray  # (query,): shown keys that the mask allows
    uniform_keys: np.ndarray  # (query,): what a row's weights, as drawn, are shares of
    removed: Float32[np.ndarray, "map query"] | None
    hidden: tuple[str, ...]  # key tokens left out


def every_head(traced: TextTrace, kind: AttentionKind) -> tuple[HeadId, ...]:
    """Layer by layer."""
    layers = traced.trace.layers[kind]
    return tuple((place, head) for place, one in enumerate(layers) for head in range(one.n_heads))


def valid_heads(
    traced: TextTrace, kind: AttentionKind, heads: Sequence[HeadId]
) -> tuple[HeadId, ...]:
    """The chosen heads that this model has; without one, the head with the strongest pair."""
    every = set(every_head(traced, kind))
    known = [head for head in heads if head in every]
    if known:
        return tuple(dict.fromkeys(known))
    overview = text_maps.overview(traced, kind)
    strengths = {
        (layer, head): pair.weight if pair else 0.0
        for layer, pairs in enumerate(overview.strongest)
        for head, pair in enumerate(pairs)
    }
    return (max(strengths, key=lambda place: strengths[place]),)


def shown_maps(
    traced: TextTrace,
    kind: AttentionKind,
    heads: tuple[HeadId, ...],
    *,
    mean: bool,
    reduction: Reduction,
) -> ShownMaps:
    """Stack the chosen heads, average, merge to words, leave tokens out, in this order."""
    maps = np.stack([text_maps.maps(traced, kind, layer)[head] for layer, head in heads])
    names = tuple(f"layer {layer} · head {head}" for layer, head in heads)
    if mean and len(heads) > 1:
        maps = maps.mean(axis=0, keepdims=True, dtype=np.float32)
        names = (mean_name(heads),)
    queries, keys = (
        text_maps.encodings(traced.trace, kind)[0],
        text_maps.columns(traced.trace, kind),
    )
    allowed = traced.trace.attention(next(iter(heads))[0], kind=kind).allowed()
    if len(keys) > allowed.shape[1]:  # every row may look at the sink
        allowed = np.pad(allowed, ((0, 0), (0, 1)), constant_values=True)
    query_words = words_of(queries) if reduction.words else _single(queries)
    key_words = words_of(keys) if reduction.words else _single(keys)
    if reduction.words:
        maps = merge_words(maps, queries=query_words, keys=key_words)
        allowed = _any_by_word(allowed, query_words, key_words)
    of_queries, of_keys = reduction.between or (None, None)
    kept_queries = _kept(query_words, queries, reduction, of_queries)
    kept_keys = _kept(key_words, keys, reduction, of_keys)
    removed = None
    if not (kept_queries.all() and kept_keys.all()):
        reduced = hide_tokens(
            maps,
            kept_queries=kept_queries,
            kept_keys=kept_keys,
            renormalise=reduction.renormalise,
        )
        maps, removed = reduced.maps, reduced.removed
    shown = allowed[kept_queries][:, kept_keys].sum(axis=1)
    whole = allowed[kept_queries].sum(axis=1)  # hidden keys keep theirs, unless it is dealt out
    return ShownMaps(
        heads=heads,
        names=names,
        maps=maps,
        queries=_axis(query_words, queries, kept_queries),
        keys=_axis(key_words, keys, kept_keys),
        visible_keys=shown,
        uniform_keys=shown if reduction.renormalise else whole,
        removed=removed,
        hidden=tuple(np.array(key_words.labels)[~kept_keys].tolist()),
    )


def mean_name(heads: Sequence[HeadId]) -> str:
    """What a mean is a mean of, in words."""
    layers = {layer for layer, _ in heads}
    if len(layers) == 1:
        return f"mean of {len(heads)} heads of layer {layers.pop()}"
    return f"mean of {len(heads)} heads in {len(layers)} layers"


def _single(encoding: Encoding) -> Words:
    return Words(encoding.tokens, np.arange(len(encoding), dtype=np.int64))


def _any_by_word(allowed: Bool[np.ndarray, "q k"], queries: Words, keys: Words) -> np.ndarray:
    merged = np.zeros((len(queries), len(keys)), dtype=bool)
    rows, columns = np.nonzero(allowed)
    merged[queries.of_token[rows], keys.of_token[columns]] = True
    return merged


def _kept(
    words: Words, encoding: Encoding, reduction: Reduction, segment: int | None
) -> np.ndarray:
    """Which words (or tokens) stay, of one sentence of a pair or of all; if none would, all do."""
    special = np.zeros(len(words), dtype=bool)
    special[words.of_token[encoding.special]] = True
    kept = np.ones(len(words), dtype=bool)
    if reduction.without_special:
        kept &= ~special
    if reduction.without_punctuation:
        kept &= special | ~is_punctuation(words.labels)
    if segment is not None:
        inside = np.zeros(len(words), dtype=bool)
        inside[words.of_token[encoding.segments == segment]] = True
        kept &= inside
    return kept if kept.any() else np.ones(len(words), dtype=bool)


def _axis(words: Words, encoding: Encoding, kept: np.ndarray) -> Axis:
    tokens = [np.flatnonzero(words.of_token == place) for place in np.flatnonzero(kept)]
    ids = [[one for one in encoding.ids[group].tolist() if one >= 0] for group in tokens]
    return Axis(
        labels=tuple(words.labels[place] for place in np.flatnonzero(kept)),
        tokens=tuple(tuple(group.tolist()) for group in tokens),
        ids=tuple(map(tuple, ids)),
    )
