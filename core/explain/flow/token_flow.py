"""Token to token, layer after layer: what each token keeps of itself and what it takes of others.

A graph of (layers + 1) levels: level 0 is the input, level l + 1 what layer l gives. What stands at
a node comes from the level before it, in shares that sum to one, so a path's worth is the product
of its edges' shares, and all paths from one node to another add up to attention rollout (Abnar &
Zuidema 2020, https://arxiv.org/abs/2005.00928) over the same shares.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Float32, Float64

from core.errors import InputError
from core.explain.flow.rollout import rows_to_one
from core.trace import read_only

Node = tuple[int, int]  # (level, position)


@dataclass(frozen=True, slots=True, eq=False)
class TokenFlow:
    """Every edge's share. For each layer and query, attended and kept sum to one."""

    attended: Float32[np.ndarray, "layer query key"]  # through attention, from itself, too
    kept: Float32[np.ndarray, "layer query"]  # past attention, by the residual connection

    @property
    def mixed(self) -> Float32[np.ndarray, "layer query key"]:
        """Both: what of each query comes from each key."""
        own = np.eye(self.kept.shape[1], dtype=np.float32)
        return read_only(self.attended + self.kept[:, :, None] * own)

    @property
    def nbytes(self) -> int:
        return self.attended.nbytes + self.kept.nbytes


@dataclass(frozen=True, slots=True)
class Path:
    """One token a level, from a node up to another."""

    level: int  # of its first token
    positions: tuple[int, ...]
    worth: float  # the product of its edges' shares


def flow_of_amounts(
    maps: Sequence[Float32[np.ndarray, "query key"]], *, residual: float = 0.5
) -> TokenFlow:
    """Each layer's map, its rows made to sum to one, beside a residual of a fixed share."""
    if not 0 <= residual <= 1:
        raise InputError(f"The residual's share is 0 to 1, not {residual}.")
    attended = np.stack([(1 - residual) * rows_to_one(layer.copy()) for layer in maps])
    kept = np.full(attended.shape[:2], residual, dtype=np.float32)
    return TokenFlow(read_only(attended.astype(np.float32)), read_only(kept))


def flow_into(
    mixed: Float[np.ndarray, "layer query key"], node: Node
) -> Float64[np.ndarray, "level position"]:
    """How much of the node comes from each node before it; every level's row sums to one."""
    level, position = node
    rows = np.zeros((level + 1, mixed.shape[1]))
    rows[level, position] = 1
    for below in reversed(range(level)):
        rows[below] = rows[below + 1] @ mixed[below]
    return rows


def flow_out(
    mixed: Float[np.ndarray, "layer query key"], node: Node
) -> Float64[np.ndarray, "level position"]:
    """How much of each node after it comes from the node; the first row is its own level."""
    level, position = node
    rows = np.zeros((len(mixed) + 1 - level, mixed.shape[1]))
    rows[0, position] = 1
    for above, layer in enumerate(mixed[level:]):
        rows[above + 1] = layer @ rows[above]
    return rows


def edges_kept(
    mixed: Float[np.ndarray, "layer query key"],
    threshold: float,
    *,
    into: Node | None = None,
    out_of: Node | None = None,
) -> Bool[np.ndarray, "layer query key"]:
    """Edges of at least this share; of those, what leads into one node, or out of one."""
    kept = mixed >= max(threshold, np.finfo(np.float32).tiny)
    for node, found in ((into, flow_into), (out_of, flow_out)):
        if node is None:
            continue
        reached = np.zeros((len(mixed) + 1, mixed.shape[1]), dtype=bool)
        rows = found(kept.astype(np.float32), node) > 0
        first = 0 if found is flow_into else node[0]
        reached[first : first + len(rows)] = rows
        kept &= reached[1:, :, None] & reached[:-1, None, :]
    return kept


def strongest_worths(
    mixed: Float[np.ndarray, "layer query key"],
) -> Float64[np.ndarray, "query key"]:
    """What the strongest path from each input to each output is worth."""
    best = np.eye(mixed.shape[1])
    for layer in mixed.astype(np.float64):
        best = np.stack([(row[:, None] * best).max(axis=0) for row in layer])
    return best


def strongest_path(mixed: Float[np.ndarray, "layer query key"], start: Node, end: Node) -> Path:
    """The path of the largest product from a node up to a later one (Viterbi 1967)."""
    if start[0] > end[0]:
        raise ValueError(f"{end} does not come after {start}")
    worth = np.zeros(mixed.shape[1])
    worth[start[1]] = 1
    came: list[np.ndarray] = []
    for layer in mixed[start[0] : end[0]].astype(np.float64):
        products = layer * worth
        came.append(products.argmax(axis=1))
        worth = products.max(axis=1)
    positions = [end[1]]
    for pointers in reversed(came):
        positions.append(int(pointers[positions[-1]]))
    if positions[-1] != start[1]:  # nothing flows: every product is zero
        raise ValueError(f"no path leads from {start} to {end}")
    return Path(start[0], tuple(reversed(positions)), float(worth[end[1]]))
