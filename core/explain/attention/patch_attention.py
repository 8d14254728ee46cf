"""Reading a picture's attention: one token's look at the patches, and what one weight means.

A *look* is a token's row of a layer's maps (where it looks) or its column (who looks at it), for
every head, cut into the weights on prefix tokens and the patches' in their places. A weight is
read against its rank and against *uniform*: looking at all visible keys alike.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float32, Shaped

from core.trace import AttentionLayer, PatchGrid, read_only

Direction = Literal["from", "to"]
Fusion = Literal["mean", "max", "min"]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One token's row, or column, in every head of a layer."""

    patches: Float32[np.ndarray, "head row column"]
    prefix: Float32[np.ndarray, "head prefix"]
    uniform: Float32[np.ndarray, "row column"]  # the weight if all visible keys shared alike

    @property
    def nbytes(self) -> int:
        return self.patches.nbytes + self.prefix.nbytes + self.uniform.nbytes

    @property
    def even(self) -> float | None:
        """The one uniform weight of every patch that can be seen; None where they differ."""
        seen = np.unique(self.uniform[self.uniform > 0])
        return float(seen[0]) if seen.size == 1 else None

    @property
    def grid(self) -> PatchGrid:
        """The patches that the weights lie on, with the prefix tokens before them."""
        _, rows, columns = self.patches.shape
        return PatchGrid(rows, columns, self.prefix.shape[1])

    def fused(self, how: Fusion) -> "Look":
        """All heads as one. A mean's weights sum to one as each head's do; others' do not."""
        fuse = {"mean": np.mean, "max": np.max, "min": np.min}[how]
        return Look(
            read_only(fuse(self.patches, axis=0, keepdims=True)),
            read_only(fuse(self.prefix, axis=0, keepdims=True)),
            self.uniform,
        )


@dataclass(frozen=True, slots=True)
class PatchReading:
    """What one patch's weight means among the visible ones."""

    weight: float
    rank: int  # 1 is the largest; equals share the better rank
    visible: int  # patches that can be looked at
    times_uniform: float  # 0 where the patch is not visible


def look(
    layer: AttentionLayer,
    token: int | None,
    direction: Direction = "from",
    *,
    weights: Float32[np.ndarray, "head query key"] | None = None,
) -> Look:
    """A token's look in every head; of no token, the mean over all patches.

    `token` counts prefix tokens first, then patches row by row, on the layer's own grid (see
    `same_place`). Whoever keeps the layer's `weights` may give them: a column and a mean need
    them all. Raises ValueError for a layer without grids, or a token that it doesn't have.
    """
    if layer.query_grid is None or layer.key_grid is None:
        raise ValueError(f"layer {layer.index} has no grid of patches")
    own, other = layer.query_grid, layer.key_grid
    if direction == "to":
        own, other = other, own
    if token is not None and not 0 <= token < own.n_tokens:
        raise ValueError(f"layer {layer.index} has tokens 0 to {own.n_tokens - 1}, not {token}")
    if direction == "from" and token is not None:
        row = layer.row(token)  # (head, key), without computing the other rows
        visible = np.asarray((row > 0).any(axis=0), dtype=np.float32)
        visible /= max(1, visible.sum())
        return _cut(row, visible, other)
    whole = layer.weights if weights is None else weights
    return _cut(*_of_whole_maps(whole, token, direction, own.prefix_tokens), other)


def same_place(patch: int, source: PatchGrid, target: PatchGrid) -> int:
    """The target's patch that holds the centre of the source's; both count without prefix."""
    row, column = divmod(patch, source.columns)
    there = (2 * row + 1) * target.rows // (2 * source.rows)
    across = (2 * column + 1) * target.columns // (2 * source.columns)
    return there * target.columns + across


def resample(
    values: Shaped[np.ndarray, "row column"], grid: PatchGrid
) -> Shaped[np.ndarray, "grid_row grid_column"]:
    """What each of the grid's patches finds at its centre in values on another grid."""
    down = (2 * np.arange(grid.rows) + 1) * len(values) // (2 * grid.rows)
    across = (2 * np.arange(grid.columns) + 1) * values.shape[1] // (2 * grid.columns)
    return np.ascontiguousarray(values[np.ix_(down, across)])


def read_patches(
    weights: Float32[np.ndarray, "row column"], uniform: Float32[np.ndarray, "row column"]
) -> tuple[PatchReading, ...]:
    """Every patch's reading, row by row."""
    seen = uniform.reshape(-1) > 0
    flat = weights.reshape(-1)
    ascending = np.sort(flat[seen])
    ranks = 1 + len(ascending) - np.searchsorted(ascending, flat, side="right")
    times = np.divide(flat, uniform.reshape(-1), out=np.zeros_like(flat), where=seen)
    return tuple(
        PatchReading(float(weight), int(rank), len(ascending), float(ratio))
        for weight, rank, ratio in zip(flat, ranks, times, strict=True)
    )


def top_mass(
    weights: Float32[np.ndarray, "row column"], share: float
) -> Bool[np.ndarray, "row column"]:
    """The fewest patches that hold a share of the patches' mass, largest first.

    Caron et al. 2021 (DINO), https://arxiv.org/abs/2104.14294, figure 1 and appendix: 60 %.
    """
    flat = weights.reshape(-1).astype(np.float64)
    order = np.argsort(-flat, kind="stable")
    before = np.cumsum(flat[order]) - flat[order]  # mass of the patches that come first
    kept = np.zeros(flat.size, dtype=bool)
    kept[order] = before < share * flat.sum() if share < 1 else True
    return kept.reshape(weights.shape)


def _of_whole_maps(
    weights: Float32[np.ndarray, "head query key"],
    token: int | None,
    direction: Direction,
    prefix_tokens: int,
) -> tuple[np.ndarray, np.ndarray]:
    """A look (head, other) and what is uniform there (other,)."""
    alike = (weights > 0).any(axis=0).astype(np.float32)
    alike /= np.maximum(alike.sum(axis=-1, keepdims=True), 1)  # (query, key)
    if direction == "to":
        weights, alike = weights.swapaxes(1, 2), alike.T
    if token is not None:
        return weights[:, token], np.asarray(alike[token])
    return weights[:, prefix_tokens:].mean(axis=1), np.asarray(alike[prefix_tokens:].mean(axis=0))


def _cut(weights: np.ndarray, uniform: np.ndarray, grid: PatchGrid) -> Look:
    first, shape = grid.prefix_tokens, (grid.rows, grid.columns)
    return Look(
        read_only(weights[:, first:].reshape(-1, *shape)),
        read_only(weights[:, :first]),
        read_only(uniform[first:].reshape(shape)),
    )
