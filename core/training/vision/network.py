"""The networks of mae-mini, vit-mini and swin-mini, and the config.json that opens them again.

Unmodified timm models: `architecture` names timm's entry point, `model_args` what differs.
ViT: Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929 (class token, learned 1-D positions).
Swin: Liu et al. 2021, https://arxiv.org/abs/2103.14030.
Decoder: He et al. 2022, https://arxiv.org/abs/2111.06377.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import timm
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from timm.data.constants import IMAGENET_DEFAULT_MEAN, IMAGENET_DEFAULT_STD
from timm.layers.config import set_fused_attn
from torch import nn

from core.errors import InputError
from core.models.vision.autoencoder_network import Decoder, MaskedAutoencoder

IMAGE_SIZE: Final = 112  # pixels
MEAN: Final = IMAGENET_DEFAULT_MEAN
STD: Final = IMAGENET_DEFAULT_STD


@dataclass(frozen=True, slots=True)
class Architecture:
    """timm's name for it and the arguments that make it small."""

    name: str
    arguments: Mapping[str, Any]

    @property
    def image_size(self) -> int:
        return self.arguments["img_size"]


VIT: Final = Architecture(
    "vit_small_patch8_224",
    {"img_size": IMAGE_SIZE, "patch_size": 8, "embed_dim": 256, "depth": 8, "num_heads": 8},
)
SWIN: Final = Architecture(
    "swin_tiny_patch4_window7_224",  # Swin-T without its last stage, two thirds as wide
    {"img_size": IMAGE_SIZE, "embed_dim": 64, "depths": [2, 4, 4], "num_heads": [2, 4, 8]},
)
DECODER: Final[Mapping[str, int]] = {"embed_dim": 128, "depth": 4, "num_heads": 4}


def build(
    architecture: Architecture,
    *,
    classes: int,
    device: str,
    drop_path: float = 0.0,
    patch_drop: float = 0.0,
) -> Any:
    """A freshly initialised model. On a CPU the attention that is written out trains faster."""
    set_fused_attn(enable=device != "cpu", experimental=device != "cpu")
    dropping = {"patch_drop_rate": patch_drop} if patch_drop else {}
    return timm.create_model(
        architecture.name,
        pretrained=False,
        num_classes=classes,
        drop_path_rate=drop_path,
        **dropping,
        **architecture.arguments,
    )


def build_autoencoder(
    architecture: Architecture = VIT,
    decoder: Mapping[str, int] = DECODER,
    *,
    device: str,
) -> MaskedAutoencoder:
    """Encoder and decoder, Xavier uniform as in the paper's appendix A.1; positions normal."""
    encoder = build(architecture, classes=0, device=device)
    for name, module in encoder.named_modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
        elif name == "patch_embed.proj":  # initialised like a linear layer, as in the paper's code
            nn.init.xavier_uniform_(module.weight.view(len(module.weight), -1))
    return MaskedAutoencoder(
        encoder,
        Decoder(
            encoder_dim=encoder.embed_dim,
            grid=encoder.patch_embed.grid_size,
            patch_size=encoder.patch_embed.patch_size[0],
            **decoder,
        ),
    )


def start_from(model: nn.Module, folder: Path) -> None:
    """Give a classifier the encoder of a shipped masked autoencoder; its new head stays."""
    path = folder / "model.safetensors"
    try:
        weights = load_file(path)
        missing, unexpected = model.load_state_dict(weights, strict=False)
    except (OSError, SafetensorError, RuntimeError) as error:
        raise InputError(
            f"{path} can't be the start of this training ({error}); train mae-mini first, "
            "so that its folder lies beside this model's"
        ) from error
    if unexpected or any(not name.startswith("head.") for name in missing):
        raise InputError(
            f"{path} is not this model's encoder: it lacks {missing} and has {unexpected}; "
            "train mae-mini again"
        )


def config(
    architecture: Architecture,
    *,
    labels: tuple[str, ...] = (),
    decoder: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """config.json in timm's layout; a masked autoencoder's names its decoder too."""
    told: dict[str, Any] = {
        "architecture": architecture.name,
        "num_classes": len(labels),
        "model_args": dict(architecture.arguments),
        "pretrained_cfg": {
            "input_size": [3, architecture.image_size, architecture.image_size],
            "interpolation": "bicubic",
            "crop_pct": 1.0,
            "crop_mode": "center",
            "mean": list(MEAN),
            "std": list(STD),
        },
    }
    if labels:
        told["pretrained_cfg"]["label_names"] = list(labels)
    if decoder is not None:
        told["decoder"] = dict(decoder)
    return told


def picture_size(model: Any) -> int:
    """Pixels a side of the square pictures that a timm model reads."""
    return int(model.patch_embed.img_size[0])


def half(module: nn.Module) -> dict[str, torch.Tensor]:
    """The weights as they are shipped: 16-bit floats."""
    return {
        name: value.detach().half().cpu().contiguous()
        for name, value in module.state_dict().items()
        if value.is_floating_point()
    }
