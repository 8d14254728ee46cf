"""Computing something slow once: a folder in the cache is there whole, or not at all."""

import shutil
from collections.abc import Callable
from pathlib import Path

from core.errors import InputError


def cached_folder(folder: Path, fill: Callable[[Path], None]) -> Path:
    """Return `folder`; where it is missing, `fill` a temporary one and rename it at the end."""
    if folder.is_dir():
        return folder
    unfinished = folder.with_name(folder.name + ".unfinished")
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        fill(unfinished)
        unfinished.rename(folder)
    except OSError as error:
        raise InputError(
            f"can't write {folder}: {error.strerror or error}; free some space and start again"
        ) from error
    return folder
