"""Checkpoints that are written whole or not at all.

The new one goes to a temporary file, reaches the disk, and then takes the old one's
place in one step; a stop or a full disk in between leaves the old one as it was.
"""

import os
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, cast

import torch

from core.errors import InputError


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` fill a temporary file, then put it in the place of `path`."""
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
            "free some space and start again"
        ) from error


def save_checkpoint(path: Path, state: Mapping[str, object]) -> None:
    """Save tensors, numbers, strings, lists and dicts."""
    write_whole(path, lambda file: torch.save(dict(state), file))


def load_checkpoint(path: Path) -> dict[str, object] | None:
    """The saved state, on the CPU; None where there is none."""
    if not path.is_file():
        return None
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (RuntimeError, EOFError, OSError, pickle.UnpicklingError) as error:
        raise InputError(
            f"the checkpoint {path} is broken; delete it to train from the start"
        ) from error
    return cast("dict[str, object]", state)
