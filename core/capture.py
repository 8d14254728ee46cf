"""The interceptor: sees every attention call of an unmodified model, and may change it.

Every modern model in `transformers` and `timm` ends in one function,
`torch.nn.functional.scaled_dot_product_attention`. A `TorchFunctionMode` around the
forward sees its q, k, v, mask and scale while the fast kernel runs as always. A model that
writes out its softmax (DeBERTa, Swin v2) is caught at the softmax instead.

A mode belongs to its thread, so threads that share one model never mix their maps, which
forward hooks do. The module that made a call is found by walking up the frames.
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention
from torch.nn.functional import softmax as functional_softmax
from torch.overrides import TorchFunctionMode
from typing_extensions import override

from core.editing import change_output, edit_weights, refuse_blind, replace_weights
from core.errors import InputError
from core.interventions import (
    AttentionChange,
    BlockEdge,
    Intervention,
    PositionChange,
    ReplaceWeights,
    SilenceHead,
    refuse_misfit,
)
from core.position_editing import POSITION_CALLS, PositionEditor
from core.trace import MASKED, ROW_SUM_TOLERANCE, AttentionKind, AttentionLayer, read_only

SOFTMAXES = (functional_softmax, torch.softmax, Tensor.softmax)
WATCHED = frozenset((scaled_dot_product_attention, *SOFTMAXES))


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
    weights: Tensor | None  # only where q and k don't tell them

    def layer_of(self, row: int, shared: dict[int, np.ndarray]) -> AttentionLayer:
        """The trace of one row of the batch. `shared` keeps one copy of a mask for all layers."""
        bias = None
        if self.bias is not None:
            if id(self.bias) not in shared:
                shared[id(self.bias)] = copy_row(self.bias, row)
            bias = shared[id(self.bias)]
        return AttentionLayer(
            index=self.layer,
            kind=self.kind,
            scale=self.scale,
            queries=None if self.queries is None else read_row(self.queries, row),
            grouped_keys=None if self.keys is None else read_row(self.keys, row),
            grouped_values=None if self.values is None else read_row(self.values, row),
            bias=bias,
            recorded_weights=None if self.weights is None else read_row(self.weights, row),
        )


class Recorder(TorchFunctionMode):
    """Records the attention calls of one forward pass, in layer order, in `calls`.

    paths: the name of every module, by `id` (see `module_paths`).
    kind_of: which kind of attention a module path computes.
    interventions: the i-th sequence acts on row i of the batch.
    """

    def __init__(
        self,
        paths: Mapping[int, str],
        kind_of: Callable[[str], AttentionKind],
        interventions: Sequence[Sequence[Intervention]] = (),
    ) -> None:
        super().__init__()
        self.calls: list[AttentionCall] = []
        self._paths = paths
        self._kind_of = kind_of
        self._interventions = [
            [change for change in changes if not isinstance(change, PositionChange)]
            for changes in interventions
        ]
        moved = [[c for c in changes if isinstance(c, PositionChange)] for changes in interventions]
        self._positions = PositionEditor(moved, kind_of) if any(moved) else None
        self._seen: Counter[AttentionKind] = Counter()
        self._biases: dict[object, tuple[Tensor | None, Tensor]] = {}

    @override
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if func not in WATCHED:  # hundreds of calls a forward: nothing before this line
            if self._positions is not None and func in POSITION_CALLS:
                caller = calling_module(self._paths)
                return self._positions.call(func, args, kwargs or {}, caller)
            return func(*args, **(kwargs or {}))
        if func is scaled_dot_product_attention:
            return self._attend(*args, **(kwargs or {}))
        weights = func(*args, **(kwargs or {}))
        return self._after_softmax(weights) if weights.ndim == 4 else weights

    def _attend(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Tensor:
        path, owner = calling_module(self._paths)
        kind, layer = self._next(path)
        given_shape = query.shape
        if packed := _is_packed(query, owner):
            query = query.reshape(query.shape[0], -1, 1, query.shape[-1])
        acting = self._acting(kind, layer)
        for _, change in acting:
            refuse_misfit(change, query.shape[1], query.shape[2], key.shape[2], value.shape[3])
        factor = query.shape[-1] ** -0.5 if scale is None else scale
        bias = self._bias(attn_mask, is_causal, query, key)
        mask, causal = attn_mask, is_causal
        blocked = [(row, change) for row, change in acting if isinstance(change, BlockEdge)]
        if blocked:
            shape = (*query.shape[:3], key.shape[2])
            bias = query.new_zeros(shape) if bias is None else bias.expand(shape).clone()
            for row, edge in blocked:
                bias[row, edge.head, edge.query, edge.key] = -torch.inf
                refuse_blind(edge, bias[row, edge.head, edge.query] > MASKED)
            mask, causal = bias, False
        replaced = [(row, change) for row, change in acting if isinstance(change, ReplaceWeights)]
        if replaced:
            groups = query.shape[1] // key.shape[1]
            scores = query @ key.repeat_interleave(groups, 1).mT * factor
            weights = replace_weights(
                (scores if bias is None else scores + bias).softmax(-1), replaced
            )
            output = weights @ value.repeat_interleave(groups, 1)
        else:
            weights = None
            output = scaled_dot_product_attention(
                query,
                key,
                value,
                mask,
                dropout_p,
                causal,
                scale=scale,
                enable_gqa=enable_gqa or packed,
            )
        self.calls.append(AttentionCall(kind, layer, factor, query, key, value, bias, weights))
        output = change_output(output, acting)
        return output.reshape(*given_shape[:3], -1) if packed else output

    def _after_softmax(self, weights: Tensor) -> Tensor:
        path, _ = calling_module(self._paths)
        if "att" not in path.lower():  # a router or an output layer, not attention
            return weights
        sums = weights.sum(-1)
        if not torch.allclose(sums, torch.ones_like(sums), atol=ROW_SUM_TOLERANCE):
            raise InputError(
                f"The softmax of {path} does not run over the keys: its rows don't sum to one. "
                "This model can't be shown; choose another."
            )
        kind, layer = self._next(path)
        acting = self._acting(kind, layer)
        for _, change in acting:
            refuse_misfit(change, *weights.shape[1:])
        recorded = edit_weights(weights, acting) if acting else weights
        self.calls.append(AttentionCall(kind, layer, 1.0, None, None, None, None, recorded))
        silenced = [(row, change.head) for row, change in acting if isinstance(change, SilenceHead)]
        if not silenced:
            return recorded
        weights = recorded.clone()
        for row, head in silenced:
            weights[row, head] = 0
        return weights

    @override
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        super().__exit__(exc_type, exc_val, exc_tb)
        if exc_type is None and self._positions is not None:
            self._positions.refuse_idle()

    def refuse_idle(self) -> None:
        """Raises InputError for an intervention on a layer that the forward never came to."""
        for change in (change for changes in self._interventions for change in changes):
            kinds = self._seen if change.kind is None else (change.kind,)
            layers = max((self._seen[kind] for kind in kinds), default=0)
            if not 0 <= change.layer < layers:
                raise InputError(
                    f"There is no layer {change.layer}: layers count from 0 to {layers - 1}."
                )

    def _next(self, path: str) -> tuple[AttentionKind, int]:
        kind = self._kind_of(path)
        self._seen[kind] += 1
        return kind, self._seen[kind] - 1

    def _acting(self, kind: AttentionKind, layer: int) -> list[tuple[int, AttentionChange]]:
        return [
            (row, change)
            for row, changes in enumerate(self._interventions)
            for change in changes
            if change.layer == layer and change.kind in (None, kind)
        ]

    def _bias(
        self, mask: Tensor | None, is_causal: bool, query: Tensor, key: Tensor
    ) -> Tensor | None:
        """The mask as something to add; one tensor for all the layers that share it."""
        shape = (query.shape[2], key.shape[2])
        identity = (is_causal, shape) if mask is None else id(mask)
        if mask is None and not is_causal:
            return None
        if identity not in self._biases:
            if mask is None:
                open_edges = torch.ones(shape, dtype=torch.bool, device=query.device).tril()
                additive = torch.zeros(shape, device=query.device).masked_fill(
                    ~open_edges, -torch.inf
                )
            elif mask.dtype == torch.bool:
                additive = torch.zeros(mask.shape, device=mask.device).masked_fill(
                    ~mask, -torch.inf
                )
            else:
                additive = mask
            additive = additive[(None,) * (4 - additive.ndim)]
            self._biases[identity] = (mask, additive)  # the mask is kept: its id stays its own
        return self._biases[identity][1]


def module_paths(model: nn.Module) -> dict[int, str]:
    """The dotted name of every module of a model, by `id`, for `Recorder`."""
    return {id(module): name for name, module in model.named_modules()}


def calling_module(paths: Mapping[int, str]) -> tuple[str, nn.Module | None]:
    """The innermost module of the model on the call stack: 8 to 15 µs a call."""
    frame = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        for name in ("self", "module"):
            candidate = frame.f_locals.get(name)
            if isinstance(candidate, nn.Module) and id(candidate) in paths:
                return paths[id(candidate)], candidate
        frame = frame.f_back
    return "", None


def _is_packed(query: Tensor, owner: nn.Module | None) -> bool:
    """transformers passes the grouped heads of a single query as if they were positions."""
    groups = getattr(owner, "num_key_value_groups", 1)
    heads = getattr(getattr(owner, "config", None), "num_attention_heads", query.shape[1])
    return groups > 1 and query.shape[2] == groups and query.shape[1] * groups == heads


def read_row(tensor: Tensor, row: int) -> np.ndarray:
    """One row of a batch that the model made, as a read-only float32 array.

    The forward is over and the model keeps none of its results, so a result that is alone in
    its memory changes hands without a copy; a part of something larger is copied.
    """
    alone = tensor.shape[0] == 1 and tensor.untyped_storage().nbytes() == tensor.nbytes
    if not alone or tensor.device.type != "cpu" or tensor.dtype != torch.float32:
        return copy_row(tensor, row)
    array = tensor.detach()[0].numpy()
    array.setflags(write=False)
    return array


def copy_row(tensor: Tensor, row: int) -> np.ndarray:
    """The same as a copy, for what a model may keep, such as a mask; one row may serve all."""
    picked = tensor[row if tensor.shape[0] > 1 else 0]
    return read_only(picked.detach().float().cpu().numpy())
