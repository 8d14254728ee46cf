"""Opens timm's layout: embedded checkpoints, a reader's directories, timm's repositories.

What is in transformers' layout instead is passed on to `core.models.vision.transformers_layout`.
"""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from core.capture.module_path import module_paths
from core.catalog import ModelCard, Origin
from core.catalog.directory_card import read_json
from core.errors import InputError
from core.models.vision.classifier import VisionModel
from core.models.vision.layer_grids import attending


def load_vision_model(card: ModelCard, folder: Path, device: torch.device) -> VisionModel:
    """Open a checkpoint directory in timm's or transformers' layout.

    Raises InputError if it is not whole.
    """
    config = read_json(folder / "config.json")
    if "architecture" not in config:
        from core.models.vision.transformers_layout import load_transformers_pictures

        return load_transformers_pictures(card, folder, device)
    import timm
    from safetensors.torch import load_file
    from timm.data.config import resolve_data_config
    from timm.data.transforms_factory import create_transform
    from timm.layers.config import set_fused_attn

    set_fused_attn(enable=True, experimental=True)  # Swin, too, must make the fused call
    settings = config.get("pretrained_cfg", {})
    try:
        module: Any = timm.create_model(
            config["architecture"],
            pretrained=False,
            **_arguments(config, settings),
        )
        module.load_state_dict(load_file(folder / "model.safetensors"))
        transform = create_transform(**resolve_data_config(settings, model=module))
    except Exception as error:  # whatever a broken checkpoint makes timm raise
        raise InputError(
            f"{card.id} can't be opened as a timm checkpoint: {type(error).__name__}: {error}"
        ) from error
    module.eval().requires_grad_(requires_grad=False).to(device)
    paths = module_paths(module)
    heads = next(
        (getattr(m, "num_heads", 0) for m in module.modules() if hasattr(m, "num_heads")), 0
    )
    card = replace(
        card,
        layers=len(attending(module)),
        heads=heads,
        d_model=int(module.num_features),
        parameters=sum(math.prod(parameter.shape) for parameter in module.parameters()),
        labels=_labels(card, config, settings),
    )
    return VisionModel(card, module, transform, paths)


def _arguments(config: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """What timm's own loader takes from a repository's config; `model_args` have the last word."""
    arguments: dict[str, Any] = {"num_classes": config.get("num_classes", 1000)}
    if config.get("global_pool"):
        arguments["global_pool"] = config["global_pool"]
    if settings.get("fixed_input_size"):
        arguments["img_size"] = tuple(settings["input_size"][-2:])
    return arguments | config.get("model_args", {})


def _labels(card: ModelCard, config: dict[str, Any], settings: dict[str, Any]) -> tuple[str, ...]:
    """Every class's name: the checkpoint's own, else ImageNet's for the hub's 1000 classes."""
    own = settings.get("label_names") or config.get("label_names") or card.labels
    if own or card.origin != Origin.HUB or config.get("num_classes") != 1000:
        return tuple(own)
    from timm.data.imagenet_info import ImageNetInfo

    names = ImageNetInfo("imagenet-1k")
    full = [names.index_to_description(index) for index in range(names.num_classes())]
    first = [name.split(",")[0] for name in full]  # of several synonyms
    return tuple(s if first.count(s) == 1 else f for s, f in zip(first, full, strict=True))
