"""Written whole or not at all."""

from pathlib import Path
from typing import BinaryIO

import pytest
import torch

from core.errors import InputError
from core.trace.whole_file import write_whole
from core.training.common.checkpoint import load_checkpoint, save_checkpoint


def test_a_saved_state_comes_back(tmp_path: Path) -> None:
    state = {"weights": torch.arange(3.0), "losses": [1.5, 1.0], "name": "x"}
    save_checkpoint(tmp_path / "new" / "checkpoint.pt", state)
    loaded = load_checkpoint(tmp_path / "new" / "checkpoint.pt")
    assert loaded is not None
    torch.testing.assert_close(loaded["weights"], state["weights"])
    assert (loaded["losses"], loaded["name"]) == ([1.5, 1.0], "x")


def test_no_checkpoint_is_none(tmp_path: Path) -> None:
    assert load_checkpoint(tmp_path / "checkpoint.pt") is None


def test_a_stop_in_mid_write_leaves_the_last_good_one(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    save_checkpoint(path, {"step": 1})

    def stopped(file: BinaryIO) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(path, stopped)
    assert load_checkpoint(path) == {"step": 1}
    save_checkpoint(path, {"step": 2})  # the unfinished file is not in the way
    assert load_checkpoint(path) == {"step": 2}


def test_a_full_disk_is_told_and_leaves_the_last_good_one(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    save_checkpoint(path, {"step": 1})

    def full(file: BinaryIO) -> None:
        file.write(b"half of it")
        raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match=r"No space left.*last good file is untouched.*free"):
        write_whole(path, full)
    assert load_checkpoint(path) == {"step": 1}
    assert [file.name for file in tmp_path.iterdir()] == ["checkpoint.pt"]


def test_a_broken_checkpoint_is_told(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(b"not a checkpoint")
    with pytest.raises(InputError, match=r"checkpoint\.pt is broken; delete it"):
        load_checkpoint(path)
