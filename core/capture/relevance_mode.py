"""Around a forward: its backward is LRP, so autograd hands relevance back instead of gradients.

Which rule each function has is in `core.capture.relevance_rules`. A function without one is
refused by name: a model is explained by the paper's rules or not at all.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils._pytree import tree_leaves
from typing_extensions import override

from core.capture.module_mode import Function, ModuleMode
from core.capture.relevance_rules import LinearRule, MeanRule, ProductRule, SameRule, SumRule
from core.errors import InputError

SUMS: Final = frozenset((torch.add, Tensor.add))
FACTORS: Final = frozenset((torch.mul, Tensor.mul))
SHARES: Final = frozenset((torch.div, Tensor.div))
PRODUCTS: Final = frozenset((torch.matmul, Tensor.matmul))
MEANS: Final = frozenset((torch.mean, Tensor.mean))
KEPT: Final = frozenset(
    (
        functional.layer_norm,
        functional.gelu,
        functional.relu,
        functional.silu,
        functional.softmax,
        torch.softmax,
        Tensor.softmax,
    )
)
MOVES: Final = frozenset(  # dropout: a model that is asked questions doesn't drop
    (
        torch.cat,
        torch.flatten,
        torch.permute,
        torch.reshape,
        torch.squeeze,
        torch.stack,
        torch.transpose,
        torch.unbind,
        torch.unsqueeze,
        functional.dropout,
        Tensor.__getitem__,
        Tensor.chunk,
        Tensor.clone,
        Tensor.contiguous,
        Tensor.expand,
        Tensor.flatten,
        Tensor.float,
        Tensor.permute,
        Tensor.repeat_interleave,
        Tensor.requires_grad_,
        Tensor.reshape,
        Tensor.split,
        Tensor.squeeze,
        Tensor.to,
        Tensor.transpose,
        Tensor.type_as,
        Tensor.unbind,
        Tensor.unsqueeze,
        Tensor.view,
    )
)
BEFORE: Final = ("patch_embed", "embeddings")  # a stem of convolutions may be part of it


class RelevanceMode(ModuleMode):
    """A forward whose backward is LRP; it begins where pixels have become patches.

    Enter it before a `Recorder(explicit=True)`: what the recorder writes out is seen here.
    """

    def __init__(self, title: str, paths: Mapping[int, str]) -> None:
        super().__init__(paths)
        self._title = title
        self._patches: Tensor | None = None  # what the patch embedding last made
        self._begun = False

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if not self._begun:
            path, _ = self.caller()
            if any(name in path for name in BEFORE):
                made = function(*args, **kwargs)
                if isinstance(made, Tensor) and made.is_floating_point():
                    self._patches = made
                return made
            if self._patches is not None:
                self._patches.requires_grad_()
                self._begun = True
        live = [_in_graph(value) for value in args]
        if not any(map(_in_graph, tree_leaves((args, kwargs)))):
            return function(*args, **kwargs)
        if function is functional.linear:
            return _linear(*args, **kwargs)
        if function in PRODUCTS:
            return ProductRule.apply(*args)
        if function in MEANS:
            return _mean(*args, **kwargs)
        if function in SUMS and all(live) and not kwargs:
            return SumRule.apply(*args)
        by_constant = function in SUMS | FACTORS and live.count(True) == 1
        if by_constant or (function in KEPT | SHARES and live[:2] in ([True], [True, False])):
            return SameRule.apply(args[live.index(True)], function(*args, **kwargs))
        made = function(*args, **kwargs)
        if function in MOVES or _is_property(function):
            return made
        self._refuse_unknown(function, made)
        return made

    def _refuse_unknown(self, function: Callable[..., Any], made: Any) -> None:
        if not any(map(_in_graph, tree_leaves(made))):
            return
        path, owner = self.caller()
        name = getattr(function, "__name__", str(function)).strip("_")
        raise InputError(
            f"LRP has rules for linear layers, sums, products of matrices, norms and activations; "
            f"{self._title} computes “{name}” in {path or 'its own forward'} "
            f"({type(owner).__name__}), for which the paper gives none. Choose another method: "
            "integrated gradients and occlusion need no rules."
        )


def _in_graph(value: Any) -> bool:
    return isinstance(value, Tensor) and value.requires_grad


def _is_property(function: Callable[..., Any]) -> bool:
    return getattr(function, "__name__", "") == "__get__"


def _linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    return LinearRule.apply(inputs, weight, bias)


def _mean(inputs: Tensor, dim: Any, keepdim: bool = False) -> Any:
    return MeanRule.apply(inputs, operator.index(dim), keepdim)
