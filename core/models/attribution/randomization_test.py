"""The same network with its last weights drawn anew: does a map notice that the model is gone?

Adebayo et al. 2018, "Sanity Checks for Saliency Maps", https://arxiv.org/abs/1810.03292, section
3: weights are made random from the answer downwards, in a cascade. The copy is its own; the
shared model, which other readers are using, is never touched.
"""

from copy import deepcopy
from typing import Final

import torch
from torch import nn

from core.capture.hidden_states import block_paths
from core.errors import InputError

SPREAD: Final = 0.02  # standard deviation of fresh weights, as in ViT's and Swin's own code
NORMS: Final = (nn.LayerNorm, nn.GroupNorm, nn.BatchNorm2d, nn.RMSNorm)


def randomised(module: nn.Module, *, blocks: int, seed: int) -> nn.Module:
    """A copy whose head, and all after its blocks, and its last `blocks` blocks are fresh.

    Raises InputError for more blocks than the model has.
    """
    names = block_names(module)
    if not 0 <= blocks <= len(names):
        raise InputError(
            f"The model has {len(names)} blocks with attention; the last {blocks} can't be drawn "
            f"anew. Choose 0 (the head alone) to {len(names)}."
        )
    copy = deepcopy(module)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name in (*names[len(names) - blocks :], *_after_blocks(module, names)):
            for part in copy.get_submodule(name).modules():
                _refresh(part, generator)
    return copy


def block_names(module: nn.Module) -> list[str]:
    """What holds an attention in its blocks, in order: "blocks.3", "layers.1.blocks.0"."""
    return block_paths(name for name, _ in module.named_modules())


def _after_blocks(module: nn.Module, names: list[str]) -> list[str]:
    """The parts from the last block to the answer: timm registers them in this order."""
    children = [name for name, _ in module.named_children()]
    holders = [children.index(name.partition(".")[0]) for name in names]
    return children[max(holders, default=-1) + 1 :]


def _refresh(part: nn.Module, generator: torch.Generator) -> None:
    """Draw a module's own parameters; norms become the identity again."""
    for name, parameter in part.named_parameters(recurse=False):
        if isinstance(part, NORMS) or parameter.ndim < 2:
            parameter.fill_(0.0 if "bias" in name else 1.0)
        else:
            fresh = torch.empty(parameter.shape)
            nn.init.trunc_normal_(fresh, std=SPREAD, generator=generator)
            parameter.copy_(fresh)
