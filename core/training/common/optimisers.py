"""The optimiser of the recipes: Muon for the matrices inside the blocks, AdamW for the rest.

Loshchilov & Hutter, "Decoupled Weight Decay Regularization", https://arxiv.org/abs/1711.05101.
Muon orthogonalises each update, which saves about a third of the steps in short trainings:
Liu et al., "Muon is Scalable for LLM Training", https://arxiv.org/abs/2502.16982 (its scaling
of the learning rate to AdamW's is used, so one schedule serves both).
"""

from collections.abc import Iterable

import torch
from torch import nn

from core.training.common.precision import optimiser_precision


class Optimisers:
    """Both, stepped as one. The matrices bear a higher learning rate: `matrices_factor` times."""

    def __init__(
        self,
        matrices: Iterable[nn.Parameter],
        others: Iterable[nn.Parameter],
        *,
        betas: tuple[float, float],
        eps: float,
        weight_decay: float,
        matrices_factor: float = 1.0,
    ) -> None:
        self._factors = (matrices_factor, 1.0)
        self.parameters = [*(inner := list(matrices)), *(outer := list(others))]
        self.parts: tuple[torch.optim.Optimizer, ...] = (
            torch.optim.Muon(
                inner, lr=0.0, weight_decay=weight_decay, adjust_lr_fn="match_rms_adamw"
            ),
            torch.optim.AdamW(
                outer, lr=0.0, betas=betas, eps=eps, weight_decay=weight_decay, fused=True
            ),
        )

    def step(self, *, learning_rate: float, clip: float) -> None:
        """Clip the gradient's norm, update, forget the gradients."""
        nn.utils.clip_grad_norm_(self.parameters, clip)
        for part, factor in zip(self.parts, self._factors, strict=True):
            for group in part.param_groups:
                group["lr"] = learning_rate * factor
            with optimiser_precision(self.parameters[0].device.type):
                part.step()
            part.zero_grad(set_to_none=True)

    def state(self) -> list[object]:
        return [part.state_dict() for part in self.parts]

    def restore(self, states: list[dict[str, object]]) -> None:
        for part, state in zip(self.parts, states, strict=True):
            part.load_state_dict(state)
