"""Models from the hub: safetensors only, size and disk looked at before a byte comes.

The endpoint is huggingface_hub's (`HF_ENDPOINT` moves it); files land in its cache.
"""

# huggingface_hub comes without full types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import json
import shutil
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from errno import ENOSPC
from io import StringIO
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from typing_extensions import override

from core.catalog import Family, ModelCard
from core.errors import ModelUnavailableError

FILES = ("*.safetensors", "*.json", "*.txt", "*.model", "*.spm")
TOKENIZERS = ("tokenizer.json", "vocab.*", "*.model", "*.spm")
PICTURES = (Family.VISION, Family.MASKED_AUTOENCODER, Family.DETECTOR)  # their models read no text
SHARDS = "model.safetensors.index.json"  # of a checkpoint in several files: which holds what
PATIENCE = 4.0  # seconds for the hub to take a connection
LARGEST_DOWNLOAD = 2 * 10**9  # bytes
FREE_SPACE_LEFT = 2 * 10**9  # bytes that a download must leave on the disk

Progress = Callable[[int, int], None]  # bytes so far, bytes in all


def fetch(card: ModelCard, progress: Progress | None = None) -> Path:
    """The local folder of a hub model, downloaded if need be.

    Raises ModelUnavailableError without a network, without safetensors weights, when the
    files are larger than LARGEST_DOWNLOAD, or when the disk would run full, or does: of a file
    that did not come whole huggingface_hub keeps nothing.
    """
    from httpx2 import HTTPError  # what huggingface_hub speaks through, and lets pass
    from huggingface_hub import snapshot_download
    from huggingface_hub.utils import disable_progress_bars

    if (here := downloaded(card)) is not None:
        return here
    disable_progress_bars()
    request = _request(card)
    try:
        listing = snapshot_download(**request, dry_run=True)
        coming = {
            file.filename: (file.file_size or 0) if file.will_download else 0 for file in listing
        }
        refuse_download(card.title, card.repository, coming)
        total = sum(coming.values())
        if progress is not None:
            progress(0, total)  # the first bytes may be long in coming
        folder = Path(snapshot_download(**request, tqdm_class=_reporting(total, progress)))
    except (HTTPError, OSError) as error:
        raise unreachable(card.title, error) from error
    if progress is not None:
        progress(total, total)
    return folder


def downloaded(card: ModelCard) -> Path | None:
    """The folder of a model that is whole in the hub's cache; no network is asked."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    with suppress(LocalEntryNotFoundError):
        folder = Path(snapshot_download(**_request(card), local_files_only=True))
        if _is_whole(folder, card.family):
            return folder
    return None


def refuse_download(title: str, repository: str, coming: Mapping[str, int]) -> None:
    """The checks before a download; `coming`: its files and the bytes that each would bring.

    Raises ModelUnavailableError.
    """
    if not any(name.endswith(".safetensors") for name in coming):
        raise ModelUnavailableError(
            f"{repository} has no safetensors weights, and Glassformer opens nothing else."
        )
    wanted = sum(coming.values())
    if wanted > LARGEST_DOWNLOAD:
        raise ModelUnavailableError(
            f"{title} would download {wanted / 1e9:.2g} GB; "
            f"the limit is {LARGEST_DOWNLOAD / 1e9:.2g} GB."
        )
    from huggingface_hub.constants import HF_HUB_CACHE  # every start of the app would wait for it

    existing = next(folder for folder in Path(HF_HUB_CACHE).parents if folder.exists())
    free = shutil.disk_usage(existing).free
    if free - wanted < FREE_SPACE_LEFT:
        raise ModelUnavailableError(
            f"{title} needs {wanted / 1e9:.2g} GB and the disk has {free / 1e9:.2g} GB free, "
            f"of which {FREE_SPACE_LEFT / 1e9:.2g} GB must stay free. Make room and try again."
        )


def unreachable(title: str, error: Exception) -> ModelUnavailableError:
    """What a reader is told of a download that broke off."""
    if getattr(error, "errno", None) == ENOSPC:
        return ModelUnavailableError(
            f"The disk ran full while {title} came. Make room and try again."
        )
    return ModelUnavailableError(
        f"{title} comes from the hub, which can't be reached now. Connect to a network and try "
        "again, or choose a model that is on board."
    )


def reach_hub() -> None:
    """OSError at once where no connection can be made; a proxy is asked by the client alone.

    huggingface_hub itself tries a name that does not resolve for 25 s.
    """
    from huggingface_hub.constants import ENDPOINT, is_offline_mode

    place = urlsplit(ENDPOINT)
    if place.hostname is None or getproxies() or is_offline_mode():
        return
    port = place.port or (443 if place.scheme == "https" else 80)
    socket.create_connection((place.hostname, port), PATIENCE).close()


def _request(card: ModelCard) -> dict[str, Any]:
    return {
        "repo_id": card.repository,
        "revision": card.revision,
        "allow_patterns": list(FILES),
        "ignore_patterns": ["*/*"],
    }


def _is_whole(folder: Path, family: Family) -> bool:
    """Another program may have left a part of the model in the cache, its config for one."""
    tokenizer = () if family in PICTURES else (TOKENIZERS,)
    needed = (("config.json",), ("*.safetensors",), *tokenizer)
    if not all(any(any(folder.glob(name)) for name in names) for names in needed):
        return False
    index = folder / SHARDS
    shards = json.loads(index.read_text("utf-8"))["weight_map"] if index.is_file() else {}
    return all((folder / name).is_file() for name in shards.values())


def _reporting(total: int, progress: Progress | None) -> type[Any]:
    """A silent progress bar that tells `progress` how many bytes have come.

    huggingface_hub opens two bars for the same bytes and moves them from many threads; what
    is told never goes back.
    """
    from tqdm.auto import tqdm

    lock = Lock()
    furthest = 0

    class Reporting(tqdm):  # pyright: ignore[reportMissingTypeArgument]
        @override
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            kwargs.pop("name", None)
            self.counts_bytes = kwargs.get("unit") == "B"
            super().__init__(*args, **kwargs | {"disable": False, "file": StringIO()})

        @override
        def update(self, n: float | None = 1) -> bool | None:
            nonlocal furthest
            result = super().update(n)
            if self.counts_bytes and progress is not None:
                with lock:
                    furthest = max(furthest, min(int(self.n), total))
                    progress(furthest, total)
            return result

    return Reporting
