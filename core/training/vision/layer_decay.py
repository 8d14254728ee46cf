"""AdamW for fine-tuning: the deeper a layer lies below the head, the smaller its learning rate.

Clark et al. 2020, https://arxiv.org/abs/2003.10555; He et al. 2022, appendix A.2,
https://arxiv.org/abs/2111.06377. The groups are timm's: a factor `decay` a layer, and no
weight decay for biases and norms. It is stepped like `core.training.common.optimisers.Optimisers`.
"""

import torch
from timm.optim._param_groups import param_groups_layer_decay
from torch import nn


class LayerDecay:
    """One AdamW over the groups; `decay` 1.0 gives every layer the same rate."""

    def __init__(
        self,
        model: nn.Module,
        *,
        decay: float,
        betas: tuple[float, float],
        eps: float,
        weight_decay: float,
    ) -> None:
        groups = param_groups_layer_decay(model, weight_decay=weight_decay, layer_decay=decay)
        self.part = torch.optim.AdamW(groups, lr=0.0, betas=betas, eps=eps, fused=True)

    def step(self, *, learning_rate: float, clip: float) -> None:
        """Clip the gradient's norm, update, forget the gradients."""
        groups = self.part.param_groups
        nn.utils.clip_grad_norm_([p for group in groups for p in group["params"]], clip)
        for group in groups:
            group["lr"] = learning_rate * group["lr_scale"]
        self.part.step()
        self.part.zero_grad(set_to_none=True)

    def state(self) -> list[object]:
        return [self.part.state_dict()]

    def restore(self, states: list[dict[str, object]]) -> None:
        self.part.load_state_dict(states[0])
