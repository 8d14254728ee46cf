"""Picture models of a few kilobytes: every timm family that the tests compare, random weights."""

import json
from pathlib import Path

import timm
import torch
from safetensors.torch import save_file

torch.set_num_threads(1)

CLASSES = ("cat", "dog", "car", "tree", "house")
PLAIN = {"img_size": 32, "patch_size": 8, "embed_dim": 24, "depth": 2, "num_heads": 3}
SWIN = {
    "img_size": 32,
    "patch_size": 2,
    "embed_dim": 12,
    "depths": (2, 2),
    "num_heads": (2, 4),
    "window_size": 4,
}
ARCHITECTURES = {  # name: (timm's architecture, arguments)
    "vit": ("vit_tiny_patch16_224", PLAIN),
    "wide": ("vit_tiny_patch16_224", PLAIN | {"img_size": (16, 40)}),  # 2 × 5 patches
    "gap": ("vit_tiny_patch16_224", PLAIN | {"class_token": False, "global_pool": "avg"}),
    "distilled": ("deit_tiny_distilled_patch16_224", PLAIN),
    "registers": ("vit_small_patch14_reg4_dinov2", PLAIN | {"init_values": 1.0}),
    "register-gap": (
        "vit_tiny_patch16_224",
        PLAIN | {"class_token": False, "reg_tokens": 1, "global_pool": "avg"},
    ),
    "beit": ("beit_base_patch16_224", PLAIN | {"init_values": 0.5}),
    "eva02": ("eva02_tiny_patch14_224", PLAIN),
    "siglip": ("vit_base_patch16_siglip_224", PLAIN),
    "swin": ("swin_tiny_patch4_window7_224", SWIN),
    "pvt": (
        "pvt_v2_b0",
        {
            "depths": (1, 1),
            "embed_dims": (8, 16),
            "num_heads": (1, 2),
            "sr_ratios": (2, 1),
            "mlp_ratios": (2, 2),
        },
    ),
    "xcit": ("xcit_nano_12_p16_224", {"img_size": 32, "depth": 1, "embed_dim": 32, "num_heads": 4}),
    "poolformer": ("poolformer_s12", {}),
    "cait": ("cait_xxs24_224", {"img_size": 32, "depth": 1, "embed_dim": 32, "num_heads": 4}),
    "maxvit": ("maxvit_rmlp_pico_rw_256", {"img_size": 64}),
}


def save_picture_model(name: str, folder: Path, *, n_classes: int = len(CLASSES)) -> Path:
    """A checkpoint directory in timm's layout; weights are spread: attention is not uniform."""
    architecture, arguments = ARCHITECTURES[name]
    torch.manual_seed(0)
    module = timm.create_model(architecture, num_classes=n_classes, **arguments)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim > 1:
                parameter.normal_(0, 0.2)
    save_file(module.state_dict(), folder / "model.safetensors")
    size = arguments.get("img_size", 64)
    height, width = size if isinstance(size, tuple) else (size, size)
    settings: dict[str, object] = {"input_size": (3, height, width), "crop_pct": 1.0}
    if n_classes == len(CLASSES):
        settings["label_names"] = CLASSES
    config = {
        "architecture": architecture,
        "num_classes": n_classes,
        "model_args": arguments,
        "pretrained_cfg": settings,
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder
