"""The attention of one layer: what went in, and the weights that follow from it."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from jaxtyping import Bool, Float32

from core.trace.encoding import PatchGrid
from core.trace.windows import Windows

ROW_SUM_TOLERANCE = 1e-3
MASKED = -1e30  # transformers masks with the dtype's minimum, timm with -inf: both lie below


class AttentionKind(StrEnum):
    """Which of the paper's three uses of attention made a map."""

    ENCODER = "encoder"
    DECODER = "decoder"
    CROSS = "cross"


def read_only(array: np.ndarray) -> np.ndarray:
    """A contiguous, read-only copy that shares no memory with the model's buffers."""
    copy = np.array(array, order="C", copy=True)
    copy.setflags(write=False)
    return copy


def softmax(scores: Float32[np.ndarray, "*axes"]) -> Float32[np.ndarray, "*axes"]:
    """Softmax over the last axis; a masked score (-inf) gives exactly zero."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    np.exp(shifted, out=shifted)
    shifted /= shifted.sum(axis=-1, keepdims=True)
    return shifted


@dataclass(frozen=True, slots=True, eq=False)
class AttentionLayer:
    """The attention of one layer: what went in, from which the weights follow.

    Queries, keys and values are as the attention saw them (rotary positions applied).
    They are None where a model writes out its own softmax and only the weights were
    caught. Grouped keys (Llama) are kept once per group; `keys` repeats them.
    """

    index: int
    kind: AttentionKind
    scale: float
    queries: Float32[np.ndarray, "head query d_head"] | None = None
    grouped_keys: Float32[np.ndarray, "group key d_head"] | None = None
    grouped_values: Float32[np.ndarray, "group key d_value"] | None = None
    bias: Float32[np.ndarray, "#head #query #key"] | None = None
    recorded_weights: Float32[np.ndarray, "head query key"] | None = None
    sink: Float32[np.ndarray, "head query"] | None = None  # what no token gets: see core.trace.sink
    gradients: Float32[np.ndarray, "head query key"] | None = None  # of the answer asked about
    query_grid: PatchGrid | None = None
    key_grid: PatchGrid | None = None
    windows: Windows | None = None  # Swin: then all above is in the picture's order, bias there

    @property
    def n_heads(self) -> int:
        if self.windows is not None:
            return self.windows.weights.shape[1]
        source = self.recorded_weights if self.queries is None else self.queries
        if source is None:
            raise ValueError(f"layer {self.index} has neither queries nor recorded weights")
        return source.shape[0]

    @property
    def keys(self) -> Float32[np.ndarray, "head key d_head"] | None:
        return self._repeated(self.grouped_keys)

    @property
    def values(self) -> Float32[np.ndarray, "head key d_value"] | None:
        return self._repeated(self.grouped_values)

    @property
    def scores(self) -> Float32[np.ndarray, "head query key"] | None:
        """query · key × scale + bias; None where only the weights were caught."""
        if self.queries is None or self.keys is None:
            return None
        if self.windows is not None:
            return self.windows.scores(self.queries, self.keys, self.scale)
        scores = np.matmul(self.queries, self.keys.swapaxes(-1, -2))
        scores *= np.float32(self.scale)
        return scores if self.bias is None else scores + self.bias

    @property
    def weights(self) -> Float32[np.ndarray, "head query key"]:
        """Softmax of the scores. Computed at each call: keep it, or let the engine.

        Rows sum to one, or to one less what goes to a `sink`.
        """
        if self.windows is not None:
            return self.windows.whole()
        if self.recorded_weights is not None:
            return self.recorded_weights
        scores = self.scores
        if scores is None:
            raise ValueError(f"layer {self.index} has neither scores nor recorded weights")
        return self._checked(softmax(scores))

    def row(self, query: int) -> Float32[np.ndarray, "head key"]:
        """Where one query looks, for every head, without computing the other rows."""
        if self.windows is not None:
            return self.windows.row(query)
        if self.recorded_weights is not None:
            return self.recorded_weights[:, query]
        if self.queries is None or self.keys is None:
            raise ValueError(f"layer {self.index} has neither scores nor recorded weights")
        scores = np.einsum("hd,hkd->hk", self.queries[:, query], self.keys)
        scores *= np.float32(self.scale)
        if self.bias is not None:
            scores = scores + self.bias[:, query if self.bias.shape[1] > 1 else 0]
        return self._checked(softmax(scores))

    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Which keys the mask lets each query see, in at least one head.

        Of maps that were caught whole, those that got any weight: a mask leaves exactly none.
        """
        if self.windows is not None:
            return self.windows.allowed_pairs()
        if self.recorded_weights is not None:
            return np.asarray((self.recorded_weights > 0).any(axis=0))
        if self.bias is None:
            return np.ones(self.map_shape, dtype=bool)
        return np.broadcast_to((self.bias > MASKED).any(axis=0), self.map_shape)

    @property
    def map_shape(self) -> tuple[int, int]:
        """Queries and keys."""
        if self.windows is not None:
            n_patches = self.windows.partition.n_patches
            return n_patches, n_patches
        if self.recorded_weights is not None:
            return self.recorded_weights.shape[1], self.recorded_weights.shape[2]
        if self.queries is None or self.grouped_keys is None:
            raise ValueError(f"layer {self.index} has neither scores nor recorded weights")
        return self.queries.shape[1], self.grouped_keys.shape[1]

    def _repeated(self, grouped: np.ndarray | None) -> np.ndarray | None:
        if grouped is None or grouped.shape[0] == self.n_heads:
            return grouped
        return np.repeat(grouped, self.n_heads // grouped.shape[0], axis=0)

    def _checked(self, weights: np.ndarray) -> np.ndarray:
        sums = weights.sum(axis=-1)
        off = np.abs(sums - 1) > ROW_SUM_TOLERANCE
        if off.any() or np.isnan(sums).any():
            raise ValueError(
                f"{self.kind} layer {self.index}: a row of weights sums to "
                f"{sums.flat[int(np.argmax(np.abs(sums - 1)))]}, not to one"
            )
        weights.setflags(write=False)
        return weights
