"""LRP's rules as backward passes: what flows back is relevance instead of a gradient.

Chefer, Gur & Wolf 2021 (CVPR), "Transformer Interpretability Beyond Attention Visualization",
https://arxiv.org/abs/2012.09838, section 3. Each forward is the true function; each backward gives
the inputs' relevance R_in of the outputs' R. A value that is used twice gets the sum of both, as
autograd adds them up, and what only moves values (a reshape, a row taken out) moves relevance by
its own backward. Biases and other constants that are added get nothing; what a product gives to
a parameter (the learned query of an attention pool) ends there.
"""

from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn.functional import linear

EPSILON: Final = 1e-9  # of the authors' code, modules/layers_ours.py


class LinearRule(Function):
    """Equation 5: x_j w_ij shares R_i with all x w of unit i that are positive, as it is."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(inputs, weight)
        return linear(inputs, weight, bias)

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> tuple[Tensor, None, None]:
        inputs, weight = ctx.saved_tensors
        above, below = inputs.clamp(min=0), inputs.clamp(max=0)
        weight_above, weight_below = weight.clamp(min=0), weight.clamp(max=0)
        share = over(relevance[0], linear(above, weight_above) + linear(below, weight_below))
        return above * (share @ weight_above) + below * (share @ weight_below), None, None


class MeanRule(Function):
    """Equation 5 for weights 1/N, of a model that averages its tokens (the paper's have [CLS]).

    A feature that is positive in no token loses its relevance, as a unit of a linear layer does
    that no input agrees with.
    """

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, axis: Any, keep: bool) -> Tensor:
        ctx.save_for_backward(inputs)
        ctx.axis, ctx.keep = axis, keep
        return inputs.mean(axis, keepdim=keep)

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> tuple[Tensor, None, None]:
        (inputs,) = ctx.saved_tensors
        above = inputs.clamp(min=0)
        given = relevance[0] if ctx.keep else relevance[0].unsqueeze(ctx.axis)
        return above * over(given, above.sum(ctx.axis, keepdim=True)), None, None


class ProductRule(Function):
    """Equations 7 and 10 for u · v: both operands' sums are ΣR by 7, so by 10 each gets half."""

    @staticmethod
    def forward(ctx: Any, left: Tensor, right: Tensor) -> Tensor:
        made = left @ right
        ctx.save_for_backward(left, right, made)
        return made

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> tuple[Tensor, Tensor]:
        left, right, made = ctx.saved_tensors
        share = over(relevance[0], made) / 2
        to_left = (share @ right.mT).sum_to_size(left.shape)
        to_right = (left.mT @ share).sum_to_size(right.shape)
        return left * to_left, right * to_right


class SumRule(Function):
    """Equations 7 and 10 for u + v: each operand's relevance, scaled to its part of ΣR."""

    @staticmethod
    def forward(ctx: Any, left: Tensor, right: Tensor) -> Tensor:
        made = left + right
        ctx.save_for_backward(left, right, made)
        return made

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> tuple[Tensor, Tensor]:
        left, right, made = ctx.saved_tensors
        share = over(relevance[0], made)
        to_left, to_right = left * share, right * share
        size_left, size_right = to_left.sum().abs(), to_right.sum().abs()
        scale = over(relevance[0].sum(), size_left + size_right)
        return (
            to_left * over(size_left, to_left.sum()) * scale,
            to_right * over(size_right, to_right.sum()) * scale,
        )


class SameRule(Function):
    """Norms, activations, softmax, constant factors: relevance passes as it is."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, made: Tensor) -> Tensor:
        ctx.shape = inputs.shape
        return made.clone()

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> tuple[Tensor, None]:
        return relevance[0].sum_to_size(ctx.shape), None


def over(relevance: Tensor, total: Tensor) -> Tensor:
    """relevance ÷ total; where the total is zero there is nothing to share, and zero is given."""
    return torch.where(total == 0, 0, relevance / (total + EPSILON))
