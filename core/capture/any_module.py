"""Attention of any torch module: what it multiplies with a softmax, or asks of the fused kernel.

A softmax alone proves nothing: routers and output layers have one, too. It counts once its
result, or what dropout and reshaping make of it, is a factor of a matrix product.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any, ClassVar, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import multi_head_attention_forward, scaled_dot_product_attention
from typing_extensions import override

from core.capture.attention_call import AttentionCall, sum_to_one
from core.capture.module_mode import Function
from core.capture.recorder import SOFTMAXES, Recorder
from core.trace import AttentionKind

PRODUCTS: Final = frozenset(
    (
        *(torch.matmul, Tensor.matmul, Tensor.__matmul__, torch.einsum),
        *(torch.bmm, Tensor.bmm, torch.baddbmm, Tensor.baddbmm),
    )
)
# Called under a mode, PyTorch's function hands itself over whole; its body, where nothing has
# a mode, makes the calls that are to be seen.
_body_of_multi_head = FunctionType(
    multi_head_attention_forward.__code__,
    {**multi_head_attention_forward.__globals__, "has_torch_function": lambda _: False},
    argdefs=multi_head_attention_forward.__defaults__,
)


class AnyModuleRecorder(Recorder):
    """Records the attention calls of forward passes of a module that nothing is known of."""

    watched: ClassVar[frozenset[Function] | None] = None

    def __init__(self, paths: Mapping[int, str], kind_of: Callable[[str], AttentionKind]) -> None:
        super().__init__(paths, kind_of)
        self.callers: list[str] = []  # the path of the module that made each call
        self._open: dict[int, tuple[Tensor, str, Tensor]] = {}  # by id: result, caller, weights

    @override
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        self._open.clear()
        super().__exit__(exc_type, exc_val, exc_tb)

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if function is multi_head_attention_forward:
            with self:
                return _body_of_multi_head(*args, **kwargs)
        if function is scaled_dot_product_attention:
            return self._attend_in_four_axes(*args, **kwargs)
        result = function(*args, **kwargs)
        if function in PRODUCTS:
            for factor in _tensors((*args, *kwargs.values())):
                self._multiplied(factor)
        elif isinstance(result, Tensor):
            self._follow(function, args, result)
        return result

    def _attend_in_four_axes(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        *rest: Any,
        **options: Any,
    ) -> Tensor:
        """The kernel also takes (query, d_head) and (batch, query, d_head): one head each."""
        given, missing = query.shape[:-2], 4 - query.ndim
        if missing == 1:
            query, key, value = (one.unsqueeze(1) for one in (query, key, value))
            if attn_mask is not None and attn_mask.ndim == 3:
                attn_mask = attn_mask.unsqueeze(1)
        elif missing == 2:
            query, key, value = (one[None, None] for one in (query, key, value))
        self.callers.append(self.caller()[0])
        output = self._attend(query, key, value, attn_mask, *rest, **options)
        return output.reshape(*given, *output.shape[-2:])

    def _follow(self, function: Function, args: Sequence[Any], result: Tensor) -> None:
        if function in SOFTMAXES and result.ndim in (3, 4) and sum_to_one(result):
            path, owner = self.caller()
            self._open[id(result)] = result, path, _by_head(result, owner)
        found = self._open.get(id(args[0])) if args else None
        if found is not None and result.numel() == found[0].numel():  # dropout, another dtype
            self._open[id(result)] = result, *found[1:]

    def _multiplied(self, factor: Tensor) -> None:
        found = self._open.get(id(factor))
        if found is None:
            return
        _, path, weights = found
        self._open = {key: one for key, one in self._open.items() if one[2] is not weights}
        kind, layer = self._next(path)
        self.callers.append(path)
        self.calls.append(AttentionCall(kind, layer, 1.0, None, None, None, None, weights))


def kind_by_name(path: str) -> AttentionKind:
    """A guess by what modules are called: "decoder.layers.0.multihead_attn" is cross-attention."""
    name = path.lower()
    if any(mark in name for mark in ("cross", "encoder_attn", "encdec")) or (
        "decoder" in name and "multihead_attn" in name
    ):
        return AttentionKind.CROSS
    return AttentionKind.DECODER if "decoder" in name else AttentionKind.ENCODER


def _by_head(weights: Tensor, owner: nn.Module | None) -> Tensor:
    """(batch, head, query, key); three axes are (batch, query, key), but (batch · head, …) here."""
    if weights.ndim == 4:
        return weights
    if isinstance(owner, nn.MultiheadAttention):
        return weights.unflatten(0, (-1, owner.num_heads))
    return weights.unsqueeze(1)


def _tensors(values: Iterable[Any]) -> Iterable[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from _tensors(value)
