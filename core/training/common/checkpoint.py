"""Checkpoints that are written whole or not at all."""

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import torch

from core.errors import InputError
from core.trace.whole_file import write_whole


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
