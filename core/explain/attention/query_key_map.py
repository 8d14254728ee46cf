"""One head's queries and keys in one plane, so that nearness speaks of attention.

A softmax does not see what is added to all scores of a query, nor a factor that queries gain and
keys lose. So keys may be moved to where the queries are, and both drawn at one size; what a query
scores keys by stays the same: Yeh et al. 2023, "AttentionViz: A Global View of Transformer
Attention", https://arxiv.org/abs/2305.03210, section 5.1. They choose the factor so that distances
follow scores as well as they can; here it makes both clouds equally wide. The plane is the best of
all (principal components); how much it keeps is part of the answer.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Float64

from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class QueryKeyMap:
    """Points of the plane, in units in which a product is a score."""

    queries: Float32[np.ndarray, "query 2"]
    keys: Float32[np.ndarray, "key 2"]
    share: float  # of the variance of queries and keys together, what the plane keeps

    @property
    def distances(self) -> Float32[np.ndarray, "query key"]:
        return np.linalg.norm(self.queries[:, None] - self.keys[None], axis=2)


def align_keys(
    queries: Float32[np.ndarray, "query d_head"],
    keys: Float32[np.ndarray, "key d_head"],
    scale: float,
) -> tuple[Float64[np.ndarray, "query d_head"], Float64[np.ndarray, "key d_head"]]:
    """Both as they are mapped: q · k is the scaled score, but for a number a query of its own."""
    q, k = (one.astype(np.float64) * np.sqrt(scale) for one in (queries, keys))
    spreads = [_spread(one) for one in (q, k)]
    factor = np.sqrt(spreads[1] / spreads[0]) if min(spreads) > 0 else 1.0
    q, k = q * factor, k / factor
    return q, k - k.mean(axis=0) + q.mean(axis=0)


def query_key_map(
    queries: Float32[np.ndarray, "query d_head"],
    keys: Float32[np.ndarray, "key d_head"],
    scale: float,
) -> QueryKeyMap:
    """scale: what the head multiplies q · k by.

    A mirror image would do as well: the farthest point of each axis is positive.
    """
    q, k = align_keys(queries, keys, scale)
    points = np.concatenate([q, k])
    points -= points.mean(axis=0)
    left, sizes, _ = np.linalg.svd(points, full_matrices=False)
    plane = np.zeros((len(points), 2))
    kept = left[:, :2] * sizes[:2]
    plane[:, : kept.shape[1]] = kept
    farthest = plane[np.abs(plane).argmax(axis=0), [0, 1]]
    plane *= np.where(farthest < 0, -1, 1)
    total = float((sizes**2).sum())
    share = float((sizes[:2] ** 2).sum()) / total if total > 0 else 1.0
    made = plane.astype(np.float32)
    return QueryKeyMap(read_only(made[: len(q)]), read_only(made[len(q) :]), share)


def _spread(points: Float64[np.ndarray, "point d_head"]) -> float:
    """Root mean squared distance from their mean."""
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))
