"""Tiny random Swins: version 1, version 2, and its CR variant, on grids that aren't square too."""

import timm
import torch
from torch import nn

SHAPE = {
    "img_size": (32, 48),
    "patch_size": 2,
    "embed_dim": 16,
    "depths": (2, 2),
    "num_heads": (2, 4),
    "window_size": 4,
}
SWINS = {
    "v1": ("swin_tiny_patch4_window7_224", SHAPE),
    "v2": ("swinv2_tiny_window8_256", SHAPE),
    "cr": ("swinv2_cr_tiny_224", SHAPE),
}


def swin(name: str, **changes: object) -> nn.Module:
    """A model whose attention is far from uniform."""
    from timm.layers.config import set_fused_attn

    set_fused_attn(enable=True, experimental=True)
    torch.manual_seed(0)
    architecture, arguments = SWINS[name]
    module = timm.create_model(architecture, num_classes=5, **arguments | changes).eval()
    with torch.no_grad():
        for path, parameter in module.named_parameters():
            if parameter.ndim > 1:
                parameter.normal_(0, 0.3)
            elif "norm" in path and path.endswith("weight"):  # v2 begins with norms of zero
                parameter.fill_(1)
    return module.requires_grad_(requires_grad=False)


def picture(batch: int = 1) -> torch.Tensor:
    return torch.rand(batch, 3, 32, 48, generator=torch.Generator().manual_seed(1))


def blocks_of(module: nn.Module) -> list[nn.Module]:
    """The blocks in the order of the forward pass."""
    return [block for block in module.modules() if hasattr(block, "shift_size")]
