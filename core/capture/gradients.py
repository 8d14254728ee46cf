"""Gradients of an answer with respect to every attention map, in one backward pass.

The models' parameters are frozen, so a graph begins at the first map (`core.capture` makes it
ask for gradients); nothing is accumulated in the model, and threads can't mix.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from core.capture.attention_call import AttentionCall
from core.errors import InputError
from core.targets import ClassContrast, ClassTarget, LogitTarget, Target


def with_gradients(
    calls: Sequence[AttentionCall], logits: Tensor | None, target: Target
) -> list[AttentionCall]:
    """The calls of a forward with explicit weights, each with ∂answer/∂weights.

    logits: (output,) of a picture, (position, output) of a text. A map that the answer does not
    depend on has gradient zero. Raises InputError for an answer that the model doesn't give.
    """
    weights = [call.weights for call in calls if call.weights is not None]
    answer = score(logits, target)
    gradients: Any = torch.autograd.grad(answer, weights, allow_unused=True)  # None: unused
    return [
        replace(
            call, gradients=torch.zeros_like(map_) if gradient is None else gradient.contiguous()
        )
        for call, map_, gradient in zip(calls, weights, gradients, strict=True)
    ]


def score(logits: Tensor | None, target: Target) -> Tensor:
    """The number a target names. Raises InputError if there is none."""
    if logits is None or not logits.shape[-1]:
        raise InputError("This model has no head, so it gives no answer to take gradients of.")
    match target:
        case ClassTarget() | ClassContrast():
            return _class(logits, target)
        case LogitTarget(position, token):
            if logits.ndim != 2:
                raise InputError("A picture model answers with classes: give a ClassTarget.")
            places, size = logits.shape
            if not 0 <= position < places or not 0 <= token < size:
                raise InputError(
                    f"There is no logit of token {token} at position {position}: positions count "
                    f"from 0 to {places - 1}, tokens from 0 to {size - 1}."
                )
            return logits[position, token]


def refuse_missing_class(target: ClassTarget | ClassContrast, n_classes: int) -> None:
    """Raises InputError for a class that the model does not know."""
    indices = (target.index, *((target.against,) if isinstance(target, ClassContrast) else ()))
    if missing := [index for index in indices if not 0 <= index < n_classes]:
        raise InputError(
            f"There is no class {missing[0]}: classes count from 0 to {n_classes - 1}."
        )


def _class(logits: Tensor, target: ClassTarget | ClassContrast) -> Tensor:
    if logits.ndim != 1:
        raise InputError("A text model answers with tokens: give a LogitTarget.")
    refuse_missing_class(target, len(logits))
    answer = logits[target.index]
    return answer - logits[target.against] if isinstance(target, ClassContrast) else answer
