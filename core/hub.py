"""Allow-listed models from the hub: pinned, safetensors only, size checked before a byte comes.

The endpoint is huggingface_hub's (`HF_ENDPOINT` moves it); files land in its cache.
"""

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

from huggingface_hub.constants import HF_HUB_CACHE
from tqdm.auto import tqdm
from typing_extensions import override

from core.catalog import ModelCard
from core.errors import ModelUnavailableError

FILES = ("*.safetensors", "*.json", "*.txt", "*.model", "*.spm")
LARGEST_DOWNLOAD = 2 * 10**9  # bytes
FREE_SPACE_LEFT = 2 * 10**9  # bytes that a download must leave on the disk

Progress = Callable[[int, int], None]  # bytes so far, bytes in all


def fetch(card: ModelCard, progress: Progress | None = None) -> Path:
    """The local folder of a hub model, downloaded if need be.

    Raises ModelUnavailableError without a network, without safetensors weights, when the
    files are larger than LARGEST_DOWNLOAD, or when the disk would run full.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    from huggingface_hub.utils import disable_progress_bars

    request: dict[str, Any] = {
        "repo_id": card.repository,
        "revision": card.revision,
        "allow_patterns": list(FILES),
        "ignore_patterns": ["*/*"],
    }
    with suppress(LocalEntryNotFoundError):
        return Path(snapshot_download(**request, local_files_only=True))
    disable_progress_bars()
    try:
        listing = snapshot_download(**request, dry_run=True)
        bytes_to_come = _checked_size(card, listing)
        return Path(snapshot_download(**request, tqdm_class=_reporting(bytes_to_come, progress)))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise ModelUnavailableError(
            f"{card.title} comes from the hub, which can't be reached now "
            f"({type(error).__name__}). Connect to a network and try again, or choose a model "
            "that is on board."
        ) from error


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
    existing = next(folder for folder in Path(HF_HUB_CACHE).parents if folder.exists())
    free = shutil.disk_usage(existing).free
    if free - wanted < FREE_SPACE_LEFT:
        raise ModelUnavailableError(
            f"{card.title} needs {wanted / 1e9:.2g} GB and the disk has {free / 1e9:.2g} GB free, "
            f"of which {FREE_SPACE_LEFT / 1e9:.2g} GB must stay free. Make room and try again."
        )
    return wanted


def _reporting(total: int, progress: Progress | None) -> type[Any]:
    """A silent progress bar that tells `progress` how many bytes have come."""

    class Reporting(tqdm):  # pyright: ignore[reportMissingTypeArgument]
        @override
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            kwargs.pop("name", None)
            self.counts_bytes = kwargs.get("unit") == "B"
            super().__init__(*args, **kwargs | {"disable": False, "file": StringIO()})

        @override
        def update(self, n: float | None = 1) -> bool | None:
            result = super().update(n)
            if self.counts_bytes and progress is not None:
                progress(min(int(self.n), total), total)
            return result

    return Reporting
