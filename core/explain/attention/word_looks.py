"""Which other word each word most looks at, in every head.

Clark et al. 2019, https://arxiv.org/abs/1906.04341, section 4.1: attention to a word is the sum
over its pieces, from it their mean. Special tokens and the word itself are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, Int64

from core.explain.attention.merge_words import Words, merge_words
from core.explain.attention.written_norms import row_shares
from core.trace import AttentionLayer, read_only


@dataclass(frozen=True, slots=True, eq=False)
class WordLooks:
    """All heads of one kind on one text, those of a layer behind those of the layer before."""

    heads: tuple[tuple[int, int], ...]  # (layer, head)
    most: Int64[np.ndarray, "head query"]  # a key word; -1 where none may be looked at
    shares: Float32[np.ndarray, "head query"]  # of the row, that it holds
    visible: Bool[np.ndarray, "query key"]

    @property
    def nbytes(self) -> int:
        return self.most.nbytes + self.shares.nbytes + self.visible.nbytes


def word_looks(
    layers: Sequence[AttentionLayer],
    queries: Words,
    keys: Words,
    *,
    norms: Sequence[Float32[np.ndarray, "head key"]] | None = None,
) -> WordLooks:
    """Where each word of `queries` looks among `keys`; words named "" are special tokens.

    norms: of each layer, as `written_norms` gives them: then a key counts by α‖f(x)‖.
    """
    rows, columns = _named(queries), _named(keys)
    visible = _between(layers[0].allowed().astype(np.float32), queries, keys)[rows][:, columns] > 0
    if queries is keys:
        visible &= ~np.eye(len(visible), dtype=bool)
    most: list[np.ndarray] = []
    shares: list[np.ndarray] = []
    for at, layer in enumerate(layers):
        weights = layer.weights if norms is None else row_shares(layer.weights * norms[at][:, None])
        merged = merge_words(weights, queries=queries, keys=keys)[:, rows][:, :, columns]
        open_only = np.where(visible, merged, -1)
        best = open_only.argmax(axis=-1)
        held = np.take_along_axis(open_only, best[..., None], axis=-1)[..., 0]
        most.append(np.where(held < 0, -1, best))
        shares.append(held)
    heads = tuple((at, head) for at, layer in enumerate(layers) for head in range(layer.n_heads))
    return WordLooks(
        heads,
        read_only(np.concatenate(most)),
        read_only(np.concatenate(shares).astype(np.float32)),
        read_only(visible),
    )


def _named(words: Words) -> np.ndarray:
    return np.flatnonzero([label != "" for label in words.labels])


def _between(allowed: np.ndarray, queries: Words, keys: Words) -> np.ndarray:
    """(query word, key word): above zero where some piece may look at some piece."""
    return merge_words(allowed[None], queries=queries, keys=keys)[0]
