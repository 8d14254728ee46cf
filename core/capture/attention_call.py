"""One attention call of a forward pass, as the model's tensors, and how it becomes a trace."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.trace import ROW_SUM_TOLERANCE, AttentionKind, AttentionLayer, PatchGrid, read_only
from core.trace.windows import (
    WindowPartition,
    Windows,
    in_picture_order,
    spread,
)


@dataclass(frozen=True)
class AttentionCall:
    """One intercepted call, still as the model's tensors: (batch, head, position, d_head)."""

    kind: AttentionKind
    layer: int
    scale: float
    queries: Tensor | None
    keys: Tensor | None
    values: Tensor | None
    bias: Tensor | None  # additive, broadcast to (batch, head, query, key)
    weights: Tensor | None  # only where q and k don't tell them, or gradients were asked for
    gradients: Tensor | None = None  # of an answer, with respect to the weights
    windows: WindowPartition | None = None  # then a picture's windows are the batch
    sink: bool = False  # the last column of weights and gradients is a key that is no token

    @property
    def rows(self) -> int:
        """Of the batch; where a picture is cut into windows, of all its windows."""
        seen = self.weights if self.queries is None else self.queries
        if seen is None:
            raise ValueError(f"layer {self.layer} has neither queries nor weights")
        return seen.shape[0]

    def layer_of(self, row: int, shared: dict[int, np.ndarray]) -> AttentionLayer:
        """The trace of one row of the batch. `shared` keeps one copy of a mask for all layers."""
        if self.windows is not None:
            return self._of_windows(self.windows, row)
        bias = None
        if self.bias is not None:
            if id(self.bias) not in shared:
                shared[id(self.bias)] = copy_row(self.bias, row)
            bias = shared[id(self.bias)]
        n_keys = -1 if self.sink else None
        whole = None if self.weights is None else read_row(self.weights, row)
        return AttentionLayer(
            index=self.layer,
            kind=self.kind,
            scale=self.scale,
            queries=None if self.queries is None else read_row(self.queries, row),
            grouped_keys=None if self.keys is None else read_row(self.keys, row),
            grouped_values=None if self.values is None else read_row(self.values, row),
            bias=bias,
            recorded_weights=_columns(whole, n_keys),
            sink=read_only(whole[:, :, -1]) if whole is not None and self.sink else None,
            gradients=_columns(
                None if self.gradients is None else read_row(self.gradients, row), n_keys
            ),
        )

    def _of_windows(self, partition: WindowPartition, row: int) -> AttentionLayer:
        """One picture of the batch: its windows, and everything else in the picture's order."""
        rows = slice(row * partition.n_windows, (row + 1) * partition.n_windows)

        def read(tensor: Tensor | None) -> np.ndarray | None:
            if tensor is None:
                return None
            picked = tensor if tensor.shape[0] == 1 else tensor[rows]  # one bias may serve all
            return picked.detach().float().cpu().numpy()

        def ordered(tensor: Tensor | None) -> np.ndarray | None:
            vectors = read(tensor)
            return None if vectors is None else in_picture_order(vectors, partition.index)

        gradients, bias = read(self.gradients), read(self.bias)
        grid = PatchGrid(partition.rows, partition.columns, 0)
        return AttentionLayer(
            index=self.layer,
            kind=self.kind,
            scale=self.scale,
            queries=ordered(self.queries),
            grouped_keys=ordered(self.keys),
            grouped_values=ordered(self.values),
            gradients=None if gradients is None else spread(gradients, partition.index),
            query_grid=grid,
            key_grid=grid,
            windows=Windows(
                self._window_weights(rows), partition, None if bias is None else read_only(bias)
            ),
        )

    def _window_weights(self, rows: slice) -> np.ndarray:
        """(window, head, query, key)"""
        if self.weights is not None:
            weights = self.weights[rows]
        elif self.queries is None or self.keys is None:
            raise ValueError(f"layer {self.layer} has neither queries nor weights")
        else:
            scores = self.queries[rows] @ self.keys[rows].mT * self.scale
            if self.bias is not None:
                scores = scores + (self.bias if self.bias.shape[0] == 1 else self.bias[rows])
            weights = scores.softmax(-1)
        if not sum_to_one(weights):
            raise ValueError(f"layer {self.layer}: a row of weights does not sum to one")
        return read_row(weights[None], 0)


def _columns(rows: np.ndarray | None, end: int | None) -> np.ndarray | None:
    """(head, query, column) up to a column."""
    return rows if rows is None or end is None else read_only(rows[:, :, :end])


def sum_to_one(weights: Tensor) -> bool:
    """Whether every row is a distribution over the keys; not so if there is a NaN in it."""
    return bool((weights.sum(-1) - 1).abs().max() <= ROW_SUM_TOLERANCE)


def read_row(tensor: Tensor, row: int) -> np.ndarray:
    """One row of a batch that the model made, as a read-only float32 array.

    The forward is over and the model keeps none of its results, so a result that is alone in
    its memory changes hands without a copy; a part of something larger is copied.
    """
    alone = tensor.shape[0] == 1 and tensor.untyped_storage().nbytes() == tensor.nbytes
    if not alone or tensor.device.type != "cpu" or tensor.dtype != torch.float32:
        return copy_row(tensor, row)
    array = (tensor.detach() if tensor.requires_grad else tensor).numpy()[0]
    array.setflags(write=False)
    return array


def copy_row(tensor: Tensor, row: int) -> np.ndarray:
    """The same as a copy, for what a model may keep, such as a mask; one row may serve all."""
    picked = tensor[row if tensor.shape[0] > 1 else 0]
    return read_only(picked.detach().float().cpu().numpy())
