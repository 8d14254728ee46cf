"""Files that are written whole or not at all.

The new one goes to a temporary file, reaches the disk, and then takes the old one's
place in one step; a stop or a full disk in between leaves the old one as it was.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` fill a temporary file, then put it in the place of `path`.

    Raises InputError where that can't be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        with unfinished.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except (OSError, RuntimeError) as error:  # torch.save tells a full disk as a RuntimeError
        unfinished.unlink(missing_ok=True)
        raise InputError(
            f"can't write {path}: {error}; the last good file is untouched: "
            "free some space and try again"
        ) from error
