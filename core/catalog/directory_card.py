"""A card made from a directory's config.json alone: what kind of model it holds."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

from core.catalog.card import Family, ModelCard, Origin
from core.errors import InputError

PICTURES: Final = (Family.VISION, Family.MASKED_AUTOENCODER)
TOWERS: Final = (  # picture models that are in none of transformers' lists of tasks
    *("vit_mae", "clip_vision_model", "siglip_vision_model", "dinov3_vit"),
    *("dinov2_with_registers", "pixio", "mlcd_vision_model"),
)


def card_of_directory(folder: Path, config: dict[str, Any]) -> ModelCard:
    """A card made from config.json alone; counts of layers and heads come with the model."""
    if "architecture" in config and "decoder" in config:  # timm's layout, a decoder beside it
        family, task = Family.MASKED_AUTOENCODER, "hidden patches of a picture"
    elif "detector" in config or config.get("architectures") == ["DetrForObjectDetection"]:
        family, task = Family.DETECTOR, "objects in generated scenes"
    elif "architecture" in config:  # timm's layout
        family, task = Family.VISION, "image classification"
    elif _reads_pictures(config):
        family, task = Family.VISION, "pictures"
    elif config.get("is_encoder_decoder"):
        family, task = Family.TRANSLATOR, "text to text"
    elif _is_decoder(config):
        family, task = Family.TEXT_DECODER, "next token"
    else:
        family, task = Family.TEXT_ENCODER, "text encoder"
    reads_text = family not in PICTURES
    return ModelCard(
        id=str(folder),
        title=folder.name,
        family=family,
        task=task,
        layers=_count(folder, config, "num_hidden_layers", "n_layer") if reads_text else 0,
        heads=_count(folder, config, "num_attention_heads", "n_head") if reads_text else 0,
        d_model=_count(folder, config, "hidden_size", "n_embd") if reads_text else 0,
        parameters=0,
        licence=str(config.get("license", "unknown")),
        paper="",
        origin=Origin.DIRECTORY,
        architecture=config.get("architecture") if family in PICTURES else None,
    )


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file of a checkpoint. Raises InputError if it is missing or broken."""
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path} can't be read as JSON: {error}. Save the checkpoint again."
        ) from error
    if not isinstance(content, dict):
        raise InputError(f"{path} holds {type(content).__name__}, not a JSON object.")
    return cast("dict[str, Any]", content)


def kept_json(path: Path) -> dict[str, Any]:
    """The same, parsed once while the file stays as it is; to be read only."""
    return _parsed(path, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=32)
def _parsed(path: Path, _changed: int) -> dict[str, Any]:
    return read_json(path)


def _count(folder: Path, config: dict[str, Any], *names: str) -> int:
    """A whole number of the config under the first of its names; 0 where it has none."""
    name, value = next(((name, config[name]) for name in names if name in config), ("", 0))
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{folder / 'config.json'}: {name} is {value!r}, not a whole number.")
    return value


def _is_decoder(config: dict[str, Any]) -> bool:
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    )

    model_type = config.get("model_type")
    named_causal = any("CausalLM" in name for name in config.get("architectures") or ())
    only_causal = (
        model_type in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
        and model_type not in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    )
    return named_causal or only_causal


def _reads_pictures(config: dict[str, Any]) -> bool:
    """Whether transformers knows the model as one of pictures alone, or of pictures beside texts.

    What it also knows as a language model (Perceiver, ImageGPT) is told by its class.
    """
    from transformers.models.auto import modeling_auto

    kinds = (
        modeling_auto.MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_OBJECT_DETECTION_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_MASKED_IMAGE_MODELING_MAPPING_NAMES,
    )
    named = (config.get("architectures") or [""])[0]
    model_type = config.get("model_type")
    known = model_type in TOWERS or any(model_type in kind for kind in kinds)
    return known and not named.endswith(("LM", "TextModel", "TextModelWithProjection"))
