"""Any model of the hub, by the name of its repository: what it is, before its weights come.

What is asked: the list of files with their sizes, the licence, and config.json. The rules of
`core.catalog.hub` hold: safetensors alone, never code, a size and a disk that were looked at.
"""

# huggingface_hub comes without full types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

from core.catalog import ModelCard, Origin
from core.catalog.directory_card import card_of_directory, read_json
from core.catalog.hub import FILES, downloaded, reach_hub, refuse_download, unreachable
from core.errors import InputError

HUB_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[\w.-]{1,96}", re.ASCII)  # owner/name


@dataclass(frozen=True)
class HubModel:
    """What the hub says of a model that can be downloaded."""

    card: ModelCard
    folder: Path  # with its config.json
    nbytes: int  # of all the files that will come
    kind: str  # config.json's model_type, or timm's architecture


def is_hub_id(model: str) -> bool:
    """Whether this can be the name of a repository: owner/name."""
    return HUB_ID.fullmatch(model) is not None and ".." not in model and "--" not in model


def look_up(repository: str) -> HubModel:
    """Ask the hub about a model. Nothing but its config.json is downloaded.

    Raises InputError where there is no such model, where it is gated, or where it holds nothing
    that could be opened here; ModelUnavailableError where the hub can't be reached, where the
    model is too large, or the disk would run full.
    """
    from httpx2 import HTTPError
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError
    from huggingface_hub.utils import disable_progress_bars

    disable_progress_bars()
    try:
        reach_hub()
        info = HfApi().model_info(repository, files_metadata=True)
        sizes = _sizes(info)
        refuse_download(repository, repository, sizes)
        if "config.json" not in sizes:
            raise InputError(
                f"{repository} has no config.json, so nothing says what its weights are. Choose a "
                "model in transformers' or timm's layout."
            )
        folder = Path(snapshot_download(repository, allow_patterns=["config.json"]))
    except GatedRepoError as error:
        raise InputError(
            f"{repository} is gated: its owner asks readers to accept terms. Accept them on the "
            "model's page, log in on this machine with `hf auth login`, and ask again."
        ) from error
    except RepositoryNotFoundError as error:
        raise InputError(
            f"The hub has no model “{repository}”, or it is private. Its name is written as on its "
            "page: owner/name."
        ) from error
    except (HTTPError, OSError) as error:
        raise unreachable(repository, error) from error
    config = read_json(folder / "config.json")
    card = replace(_card(repository, folder, config), licence=_licence(info))
    kind = str(config.get("architecture") or config.get("model_type") or "no type named")
    return HubModel(card, folder, sum(sizes.values()), kind)


def on_this_machine(repository: str) -> tuple[ModelCard, Path] | None:
    """The card and the folder of a model that was downloaded before; no network is asked."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    with suppress(LocalEntryNotFoundError):
        config = snapshot_download(
            repository, allow_patterns=["config.json"], local_files_only=True
        )
        if (Path(config) / "config.json").is_file():
            card = _card(repository, Path(config), read_json(Path(config) / "config.json"))
            folder = downloaded(card)
            return None if folder is None else (card, folder)
    return None


def _card(repository: str, folder: Path, config: dict[str, Any]) -> ModelCard:
    card = card_of_directory(folder, config)
    return replace(card, id=repository, title=repository, origin=Origin.HUB, repository=repository)


def _sizes(info: Any) -> dict[str, int]:
    """The files at the top that a download would bring, and their bytes."""
    files = ((file.rfilename, file.size or 0) for file in info.siblings or ())
    return {
        name: size
        for name, size in files
        if "/" not in name and any(fnmatch(name, pattern) for pattern in FILES)
    }


def _licence(info: Any) -> str:
    told = getattr(info.card_data, "license", None) if info.card_data else None
    return str(told) if told else "not stated"
