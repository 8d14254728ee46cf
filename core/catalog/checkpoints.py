"""From a model's id, or a directory, to the checkpoint's files on this machine, checked.

Only safetensors are opened, never pickles, and never code that comes with a checkpoint.
"""

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from core.catalog import CATALOG, ModelCard, Origin, bases_of, card_of
from core.catalog.any_hub import is_hub_id, look_up, on_this_machine
from core.catalog.directory_card import card_of_directory, kept_json, read_json
from core.catalog.embedded import EMBEDDED_MODELS
from core.catalog.hub import Progress, fetch
from core.errors import InputError

PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")


def is_on_board(card: ModelCard) -> bool:
    """Whether the model's files are on this machine without asking a network."""
    if card.origin == Origin.EMBEDDED:
        whole = all(is_on_board(base) for base in bases_of(card))
        return whole and (EMBEDDED_MODELS / card.id / "config.json").exists()
    return card.origin == Origin.PACKAGE and _package_folder(card.package) is not None


def locate(model: str | Path, progress: Progress | None = None) -> tuple[ModelCard, Path]:
    """The card and the checked folder of a catalog id, a directory, or any repository of the hub.

    Raises InputError for an unknown id or an unusable directory, ModelUnavailableError for
    a hub model that can't be had.
    """
    card = card_of(str(model))
    if card is None and Path(model).is_dir():
        folder = Path(model)
        return card_of_directory(folder, _checked(folder)), folder
    if card is None and is_hub_id(str(model)):
        here = on_this_machine(str(model))
        card = here[0] if here else look_up(str(model)).card
    if card is None:
        known = ", ".join(entry.id for entry in CATALOG)
        raise InputError(
            f"There is no model “{model}”. Known are {known}; or give a directory, or a model of "
            "the hub as owner/name."
        )
    folder = _folder_of(card, progress)
    _checked(folder)
    _verify(folder, card)
    return card, folder


def files_below(card: ModelCard) -> tuple[Path, ...]:
    """The checked folders of the models whose weights this one updates, a whole one first."""
    return tuple(locate(base.id)[1] for base in reversed(bases_of(card)))


def weights_hash(folder: Path) -> str:
    """SHA-256, in hexadecimal, of a checkpoint's safetensors, one after another by name."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.safetensors")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def hash_of_weights(card: ModelCard) -> str:
    """The same of a model on board, without reading what was published with its hash.

    Such files are checked when the model is opened.
    """
    published = [digest for name, digest in card.sha256.items() if name.endswith(".safetensors")]
    return published[0] if len(published) == 1 else weights_hash(_folder_of(card, None))


def card_sheet(card: ModelCard) -> dict[str, Any]:
    """card.json of an embedded model: figures and what they mean, data, settings, examples."""
    return kept_json(EMBEDDED_MODELS / card.id / "card.json")


def _folder_of(card: ModelCard, progress: Progress | None) -> Path:
    if card.origin == Origin.EMBEDDED:
        return EMBEDDED_MODELS / card.id
    if card.origin == Origin.PACKAGE and (folder := _package_folder(card.package)) is not None:
        return folder
    return fetch(card, progress)


@cache
def _package_folder(package: str) -> Path | None:
    """The `model` folder of an installed data package, found without importing it."""
    spec = find_spec(package)
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
