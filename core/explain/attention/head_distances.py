"""How alike heads are on one input, and a map on which like heads lie near each other.

Clark et al. 2019, https://arxiv.org/abs/1906.04341, section 6: the Jensen-Shannon divergence of
two heads' rows, over the tokens, and multidimensional scaling of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32, Float64

from core.errors import InputError
from core.long_work import checkpoint
from core.trace import AttentionLayer, read_only, refuse_sink

ROWS_AT_A_TIME: Final = 2_000_000  # weights: some 16 MB of work space
LEAST: Final = 1e-30  # of a weight under the logarithm


@dataclass(frozen=True, slots=True, eq=False)
class HeadDistances:
    """Of every two heads of one kind, layer after layer."""

    heads: tuple[tuple[int, int], ...]  # (layer, head)
    divergence: Float32[np.ndarray, "head head"]  # bits, from 0 (the same) to 1 (nothing shared)

    def nearest(self, head: tuple[int, int], count: int) -> tuple[tuple[int, int], ...]:
        """The other heads that are most alike it, the nearest first."""
        at = self.heads.index(head)
        order: list[int] = np.argsort(self.divergence[at], kind="stable").tolist()
        return tuple(self.heads[other] for other in order if other != at)[:count]

    @property
    def nbytes(self) -> int:
        return self.divergence.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class HeadMap:
    """Heads as points of a plane."""

    points: Float32[np.ndarray, "head 2"]
    share: float  # of all squared distances from the centre, what the plane keeps


def head_distances(layers: Sequence[AttentionLayer]) -> HeadDistances:
    """The mean over the queries of the rows' Jensen-Shannon divergence, in bits.

    JS(p, q) = H((p + q) / 2) − (H(p) + H(q)) / 2. A query that sees one key alone counts as the
    same in every head. Raises InputError for layers of different shapes (pooled keys, windows),
    and for a learned sink, whose share is no key's.
    """
    refuse_sink(layers, "How alike two heads are")
    if len({layer.weights.shape[1:] for layer in layers}) != 1:
        raise InputError(
            "Only heads that look at the same keys can be compared; this model's layers differ."
        )
    heads = tuple(
        (at, head) for at, layer in enumerate(layers) for head in range(len(layer.weights))
    )
    rows = np.concatenate([layer.weights for layer in layers]).astype(np.float32)
    own = _entropies(rows)
    divergence = np.zeros((len(rows), len(rows)), dtype=np.float32)
    step = max(1, ROWS_AT_A_TIME // rows[0].size)
    for at in range(len(rows) - 1):
        checkpoint()
        for start in range(at + 1, len(rows), step):
            others = slice(start, start + step)
            between = _entropies((rows[at] + rows[others]) / 2) - (own[at] + own[others]) / 2
            divergence[at, others] = divergence[others, at] = between.clip(0, 1)
    return HeadDistances(heads, read_only(divergence))


def _entropies(rows: np.ndarray) -> Float64[np.ndarray, " head"]:
    """Each head's mean over its queries, in bits."""
    terms = np.log(np.maximum(rows, LEAST))  # 0 · log 0 is 0; without the test it is vectorised
    terms *= rows
    return -terms.sum(axis=-1).mean(axis=-1, dtype=np.float64) / np.log(2)


def head_map(distances: HeadDistances) -> HeadMap:
    """Classical multidimensional scaling of √JS, which is a metric (Endres & Schindelin 2003).

    Torgerson, "Multidimensional Scaling: I. Theory and Method", Psychometrika 1952. A mirror image
    would do as well: the signs are chosen so that the farthest point of each axis is positive.
    """
    squared = distances.divergence.astype(np.float64)
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    values, vectors = values[::-1].clip(min=0), vectors[:, ::-1]
    points = np.zeros((len(squared), 2))
    kept = vectors[:, :2] * np.sqrt(values[:2])
    points[:, : kept.shape[1]] = kept
    farthest = points[np.abs(points).argmax(axis=0), [0, 1]]
    points *= np.where(farthest < 0, -1, 1)
    total = float(values.sum())
    share = float(values[:2].sum()) / total if total > 0 else 1.0
    return HeadMap(read_only(points.astype(np.float32)), share)
