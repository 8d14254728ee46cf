"""Four kinds of small network of equal size, which begin alike, for the data-hunger experiment.

ViT: Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, from random weights or from a
masked autoencoder's encoder (He et al. 2022, https://arxiv.org/abs/2111.06377). Swin: Liu et al.
2021, https://arxiv.org/abs/2103.14030. CNN: a residual network of ten layers (He et al. 2016,
https://arxiv.org/abs/1512.03385). Each has 1.2 to 1.3 million parameters.
"""

from dataclasses import replace
from typing import Any, Final

import torch
from timm.models.resnet import BasicBlock, ResNet
from torch import Tensor, nn

from core.data.data_hunger import Kind
from core.training.vision.classify import Settings
from core.training.vision.layer_decay import LayerDecay
from core.training.vision.network import Architecture, build
from core.training.vision.recipe import EPSILON, Steps, muon_and_adamw

SIDE: Final = 64  # pixels of the pictures that all of them read


VIT: Final = Architecture(
    "vit_small_patch8_224",
    {"img_size": SIDE, "patch_size": 8, "embed_dim": 128, "depth": 6, "num_heads": 4},
)
SWIN: Final = Architecture(
    "swin_tiny_patch4_window7_224",
    {
        "img_size": SIDE,
        "window_size": 4,
        "embed_dim": 48,
        "depths": [2, 2, 2],
        "num_heads": [2, 4, 8],
    },
)
CNN_CHANNELS: Final = (32, 64, 128, 256)
DECODER: Final = {"embed_dim": 64, "depth": 2, "num_heads": 2}
# One for all, chosen on a tenth of the training photographs, which were left out for that.
BATCH_SIZE: Final = {"cpu": 64, "cuda": 512}
_SETTINGS: Final = Settings(
    batch_size=BATCH_SIZE["cpu"],
    learning_rate=2e-3,
    warmup=0.05,
    smallest_crop=0.3,
    magnitude=3,
    mixing=0.0,
    others=0.0,
)
PATCHES_LEFT_OUT: Final = 0.5  # by the ViTs, in the first four fifths of their training


def settings_of(kind: Kind, device: str) -> Settings:
    """One training for all of a device, but that a ViT's takes half its time."""
    settings = replace(_SETTINGS, batch_size=BATCH_SIZE[device])
    is_vit = kind in (Kind.VIT, Kind.VIT_AFTER_MAE)
    return replace(settings, patch_drop=PATCHES_LEFT_OUT) if is_vit else settings


def network(
    kind: Kind, *, classes: int, device: str, encoder: dict[str, Tensor] | None = None
) -> nn.Module:
    """A fresh network; `encoder` is what VIT_AFTER_MAE starts from."""
    settings = settings_of(kind, device)
    if kind is Kind.CNN:
        return _cnn(classes).to(device)
    made = build(
        SWIN if kind is Kind.SWIN else VIT,
        classes=classes,
        device=device,
        drop_path=settings.drop_path,
        patch_drop=settings.patch_drop,
    )
    if kind is Kind.VIT_AFTER_MAE:
        made.load_state_dict((encoder or {}) | {f"head.{k}": v for k, v in _head(made).items()})
    return made.to(device)


def optimiser(kind: Kind, model: nn.Module) -> Steps:
    """Muon for the matrices inside the blocks, of which a CNN has none; AdamW for the rest."""
    betas, weight_decay = _SETTINGS.betas, _SETTINGS.weight_decay
    if kind is Kind.CNN:
        return LayerDecay(model, decay=1.0, betas=betas, eps=EPSILON, weight_decay=weight_decay)
    return muon_and_adamw(model, betas=betas, weight_decay=weight_decay)


def _cnn(classes: int) -> nn.Module:
    block: Any = BasicBlock
    made: Any = ResNet(block, (1, 1, 1, 1), num_classes=classes, channels=CNN_CHANNELS)
    return made.to(memory_format=torch.channels_last)  # two thirds of the time on a CPU


def _head(model: nn.Module) -> dict[str, Tensor]:
    return model.get_submodule("head").state_dict()
