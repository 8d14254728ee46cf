"""From a model's id, or a directory, to the checkpoint's files on this machine, checked.

Only safetensors are opened, never pickles, and never code that comes with a checkpoint.
"""

import hashlib
import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from safetensors import SafetensorError, safe_open

from core.catalog import CATALOG, Family, ModelCard, Origin, card_of
from core.catalog.embedded import EMBEDDED_MODELS
from core.catalog.hub import Progress, fetch
from core.errors import InputError

PICTURES = (Family.VISION, Family.MASKED_AUTOENCODER)
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")


def is_on_board(card: ModelCard) -> bool:
    """Whether the model's files are on this machine without asking a network."""
    if card.origin == Origin.EMBEDDED:
        return (EMBEDDED_MODELS / card.id / "config.json").exists()
    return card.origin == Origin.PACKAGE and _package_folder(card) is not None


def locate(model: str | Path, progress: Progress | None = None) -> tuple[ModelCard, Path]:
    """The card and the checked folder of a catalog id or of a checkpoint directory.

    Raises InputError for an unknown id or an unusable directory, ModelUnavailableError for
    a hub model that can't be had.
    """
    card = card_of(str(model))
    if card is None and not Path(model).is_dir():
        known = ", ".join(entry.id for entry in CATALOG)
        raise InputError(f"There is no model “{model}”. Known are {known}, or give a directory.")
    if card is None:
        folder = Path(model)
        return _card_of_directory(folder, _checked(folder)), folder
    folder = _folder_of(card, progress)
    _checked(folder)
    _verify(folder, card)
    return card, folder


def card_sheet(card: ModelCard) -> dict[str, Any]:
    """card.json of an embedded model: figures and what they mean, data, settings, examples."""
    return read_json(EMBEDDED_MODELS / card.id / "card.json")


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


def _folder_of(card: ModelCard, progress: Progress | None) -> Path:
    if card.origin == Origin.EMBEDDED:
        return EMBEDDED_MODELS / card.id
    if card.origin == Origin.PACKAGE and (folder := _package_folder(card)) is not None:
        return folder
    return fetch(card, progress)


def _package_folder(card: ModelCard) -> Path | None:
    """The `model` folder of an installed data package, found without importing it."""
    spec = find_spec(card.package)
    places = (spec and spec.submodule_search_locations) or ()
    return next(
        (Path(place) / "model" for place in places if (Path(place) / "model").is_dir()), None
    )


@cache
def _verify(folder: Path, card: ModelCard) -> None:
    for name, expected in card.sha256.items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if found != expected:
            raise InputError(
                f"{folder / name} is not the published file: SHA-256 {found}, expected {expected}. "
                "Install or download it again."
            )


def _checked(folder: Path) -> dict[str, Any]:
    """The config of a directory whose weights are whole safetensors."""
    if not (folder / "config.json").is_file():
        raise InputError(
            f"{folder} has no config.json: give a transformers or timm checkpoint directory."
        )
    config = read_json(folder / "config.json")
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        pickles = [path.name for pattern in PICKLES for path in folder.glob(pattern)]
        reason = (
            f"only pickled weights ({', '.join(pickles)}), which can run code when opened"
            if pickles
            else "no weights"
        )
        raise InputError(f"{folder} holds {reason}. Save the model as safetensors and try again.")
    for path in weights:
        try:
            opened: Any = safe_open(path, framework="numpy")
            with opened as file:
                file.keys()
        except (SafetensorError, OSError) as error:
            raise InputError(
                f"{path} is not a whole safetensors file ({error}). Copy or save it again."
            ) from error
    return config


def _card_of_directory(folder: Path, config: dict[str, Any]) -> ModelCard:
    """A card made from config.json alone; counts of layers and heads come with the model."""
    if "architecture" in config and "decoder" in config:  # timm's layout, a decoder beside it
        family, task = Family.MASKED_AUTOENCODER, "hidden patches of a picture"
    elif "detector" in config:
        family, task = Family.DETECTOR, "shapes in generated scenes"
    elif "architecture" in config:  # timm's layout
        family, task = Family.VISION, "image classification"
    elif config.get("is_encoder_decoder"):
        family, task = Family.TRANSLATOR, "text to text"
    elif _is_decoder(config):
        family, task = Family.TEXT_DECODER, "next token"
    else:
        family, task = Family.TEXT_ENCODER, "text encoder"
    return ModelCard(
        id=str(folder),
        title=folder.name,
        family=family,
        task=task,
        layers=_count(folder, config, "num_hidden_layers", "n_layer"),
        heads=_count(folder, config, "num_attention_heads", "n_head"),
        d_model=_count(folder, config, "hidden_size", "n_embd"),
        parameters=0,
        licence=str(config.get("license", "unknown")),
        paper="",
        origin=Origin.DIRECTORY,
        architecture=config.get("architecture") if family in PICTURES else None,
    )


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
