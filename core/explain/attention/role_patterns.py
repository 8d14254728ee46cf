"""The places that roles are about: for every query, the keys that count, of texts and pictures.

The sources of the roles stand in `head_roles`.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from jaxtyping import Bool, Float32, Int

from core.explain.attention.attention_distance import patch_distances
from core.explain.attention.hide_tokens import is_punctuation
from core.trace import Encoding, PatchGrid

BROAD: Final = "broad"
INDUCTION: Final = "induction"
LOCAL: Final = "local"
SYNTACTIC: Final = "syntactic relation"
ALIGNED: Final = "aligned pair"
NEIGHBOURHOOD: Final = 1.5  # patches: a patch and the eight around it
NEAR: Final = 2  # tokens
OFFSETS: Final = {
    "two back": -2,
    "previous": -1,
    "itself": 0,
    "next": 1,
    "two ahead": 2,
}
WIDER: Final = frozenset({"nearby"})  # roles whose places contain those of others
ROLES: Final[Mapping[str, str]] = {
    "previous": "the token before the query",
    "next": "the token after the query",
    "two back": "the token two before the query",
    "two ahead": "the token two after the query",
    "itself": "the query's own token",
    "first": "the first token of the text",
    "separator": "special tokens but the first, such as [SEP] or an end mark",
    "punctuation": "other tokens made of punctuation alone",
    "duplicate": "other places where the query's token stands",
    INDUCTION: "what came right after the query's token the last times it stood in the text",
    "nearby": f"tokens at most {NEAR} away",
    "same place": "the key that is as far into its text as the query is into its own",
    "same token": "keys that are the query's token in the other text",
    LOCAL: "the patch itself and the eight around it",
    "row": "patches of the query's row",
    "column": "patches of the query's column",
    "sink": "class and register tokens",
    BROAD: "nearly all keys alike",
    SYNTACTIC: "the word that grammar, or a pronoun's meaning, links to the query's word",
    ALIGNED: "the source word that the word to be written next translates",
}


def role_patterns(
    queries: Encoding | PatchGrid, keys: Encoding | PatchGrid
) -> Mapping[str, Bool[np.ndarray, "query key"]]:
    """Which keys count for each query, by role; BROAD has no places."""
    if isinstance(queries, PatchGrid) and isinstance(keys, PatchGrid):
        return patch_patterns(queries, keys)[0]
    if isinstance(queries, PatchGrid) or isinstance(keys, PatchGrid):
        raise ValueError("queries and keys are both tokens or both patches")
    return _within(queries) if queries is keys else _across(queries, keys)


def _within(text: Encoding) -> Mapping[str, Bool[np.ndarray, "query key"]]:
    """Of self-attention. Keys that are special tokens count as such alone."""
    n = len(text)
    steps = np.arange(n)[None] - np.arange(n)[:, None]  # key − query
    words = ~text.special
    same = text.ids[:, None] == text.ids[None]
    patterns = {name: (steps == step) & words for name, step in OFFSETS.items()}
    patterns |= _of_keys(text, n)
    patterns["first"] &= steps < -NEAR  # nearer, it is the token before, too
    patterns["punctuation"] &= steps != 0
    patterns["duplicate"] = same & (steps != 0) & words
    patterns[INDUCTION] = what_followed(text.ids) & words
    patterns["nearby"] = (np.abs(steps) <= NEAR) & words
    return {role: pattern & words[:, None] for role, pattern in patterns.items()}


def _across(target: Encoding, source: Encoding) -> Mapping[str, Bool[np.ndarray, "query key"]]:
    """Of cross-attention: the target's tokens look at the source's."""
    n_queries, n_keys = len(target), len(source)
    place = np.arange(n_queries) * (n_keys - 1) / max(1, n_queries - 1)
    patterns = _of_keys(source, n_queries)
    patterns["same place"] = np.rint(place).astype(int)[:, None] == np.arange(n_keys)
    patterns["same token"] = (target.ids[:, None] == source.ids[None]) & ~source.special
    return {role: pattern & ~target.special[:, None] for role, pattern in patterns.items()}


def _of_keys(keys: Encoding, n_queries: int) -> dict[str, Bool[np.ndarray, "query key"]]:
    """Roles that are about a key alone."""
    first = np.arange(len(keys)) == 0
    alone = {
        "first": first,
        "separator": keys.special & ~first,
        "punctuation": is_punctuation(keys.tokens) & ~keys.special,
    }
    return {role: np.tile(which, (n_queries, 1)) for role, which in alone.items()}


def what_followed(
    said: Sequence[str] | Int[np.ndarray, " token"],
) -> Bool[np.ndarray, "query key"]:
    """The keys that came right after an earlier occurrence of the query's token.

    Example: A B A -> the last query's key 1.
    """
    tokens = np.asarray(said)
    followed = np.zeros((len(tokens), len(tokens)), dtype=bool)
    followed[:, 1:] = tokens[:, None] == tokens[None, :-1]
    return np.tril(followed, k=-1)


def patch_patterns(
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
        LOCAL: among_patches(distances < NEIGHBOURHOOD * coarser),
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
