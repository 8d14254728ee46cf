"""Allow-listed models from the hub: pinned, safetensors only, size checked before a byte comes.

The endpoint is huggingface_hub's (`HF_ENDPOINT` moves it); files land in its cache.
"""

# huggingface_hub comes without full types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path
from threading import Lock
from typing import Any

from typing_extensions import override

from core.catalog import Family, ModelCard
from core.errors import ModelUnavailableError

FILES = ("*.safetensors", "*.json", "*.txt", "*.model", "*.spm")
TOKENIZERS = ("tokenizer.json", "vocab.*", "*.model", "*.spm")
PICTURES = (Family.VISION, Family.MASKED_AUTOENCODER, Family.DETECTOR)  # their models read no text
LARGEST_DOWNLOAD = 2 * 10**9  # bytes
FREE_SPACE_LEFT = 2 * 10**9  # bytes that a download must leave on the disk

Progress = Callable[[int, int], None]  # bytes so far, bytes in all


def fetch(card: ModelCard, progress: Progress | None = None) -> Path:
    """The local folder of a hub model, downloaded if need be.

    Raises ModelUnavailableError without a network, without safetensors weights, when the
    files are larger than LARGEST_DOWNLOAD, or when the disk would run full.
    """
    from httpx2 import HTTPError  # what huggingface_hub speaks through, and lets pass
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError
    from huggingface_hub.utils import disable_progress_bars

    request: dict[str, Any] = {
        "repo_id": card.repository,
        "revision": card.revision,
        "allow_patterns": list(FILES),
        "ignore_patterns": ["*/*"],
    }
    with suppress(LocalEntryNotFoundError):
        folder = Path(snapshot_download(**request, local_files_only=True))
        if _is_whole(folder, card.family):
            return folder
    disable_progress_bars()
    try:
        listing = snapshot_download(**request, dry_run=True)
        total = _checked_size(card, listing)
        folder = Path(snapshot_download(**request, tqdm_class=_reporting(total, progress)))
    except (HTTPError, OSError) as error:
        raise ModelUnavailableError(
            f"{card.title} comes from the hub, which can't be reached now. "
            "Connect to a network and try again, or choose a model "
            "that is on board."
        ) from error
    if progress is not None:
        progress(total, total)
    return folder


def _is_whole(folder: Path, family: Family) -> bool:
    """Another program may have left a part of the model in the cache, its config for one."""
    tokenizer = () if family in PICTURES else (TOKENIZERS,)
    needed = (("config.json",), ("*.safetensors",), *tokenizer)
    return all(any(any(folder.glob(name)) for name in names) for names in needed)


def _checked_size(card: ModelCard, listing: Sequence[Any]) -> int:
    """Bytes that a download would bring, after the checks that come before it."""
    if not any(file.filename.endswith(".safetensors") for file in listing):
        raise ModelUnavailableError(
            f"{card.repository} has no safetensors weights, and Glassformer opens nothing else."
        )
    wanted = sum(file.file_size or 0 for file in listing if file.will_download)
    if wanted > LARGEST_DOWNLOAD:
        raise ModelUnavailableError(
            f"{card.title} would download {wanted / 1e9:.2g} GB; "
            f"the limit is {LARGEST_DOWNLOAD / 1e9:.2g} GB."
        )
    from huggingface_hub.constants import HF_HUB_CACHE  # every start of the app would wait for it

    existing = next(folder for folder in Path(HF_HUB_CACHE).parents if folder.exists())
    free = shutil.disk_usage(existing).free
    if free - wanted < FREE_SPACE_LEFT:
        raise ModelUnavailableError(
            f"{card.title} needs {wanted / 1e9:.2g} GB and the disk has {free / 1e9:.2g} GB free, "
            f"of which {FREE_SPACE_LEFT / 1e9:.2g} GB must stay free. Make room and try again."
        )
    return wanted


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
