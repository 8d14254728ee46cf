"""From a finished training to the folder that ships: every file whole or not at all."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import torch
from transformers import PreTrainedModel

from core.training.checkpoint import write_whole
from core.training.loop import History, loss_curve

SNAPSHOTS_FILE = "snapshots.npz"


def write_model(
    model: PreTrainedModel, folder: Path, *, save_tokenizer: Callable[[Path], None]
) -> None:
    """Write config, tokenizer and fp16 weights: half the bytes on disk, fp32 once loaded.

    Changes `model` to fp16 on the CPU.
    """
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary)
        model.half().cpu().save_pretrained(made)
        save_tokenizer(made)
        config = made / "config.json"
        config.write_text(config.read_text().replace('"float16"', '"float32"'))
        for file in sorted(made.iterdir()):
            content = file.read_bytes()
            write_whole(folder / file.name, lambda target, content=content: target.write(content))


def write_snapshots(folder: Path, arrays: Mapping[str, np.ndarray]) -> None:
    write_whole(
        folder / SNAPSHOTS_FILE,
        lambda target: np.savez_compressed(target, **arrays),  # pyright: ignore[reportArgumentType]
    )


def moments(history: History) -> dict[str, np.ndarray]:
    """Every array of the snapshots, stacked as (moment, …), and when the moments were.

    `steps` and `fractions` are those of the moments, `loss_curve` is (point, 2): fraction, loss.
    """
    taken = history.snapshots
    ends = [*history.fractions, 1.0]
    stacked = {name: torch.stack([moment[name] for moment in taken]).numpy() for name in taken[0]}
    return stacked | {
        "steps": np.array(history.taken_at),
        "fractions": np.array([ends[min(step, len(ends) - 1)] for step in history.taken_at]),
        "loss_curve": np.array(loss_curve(history), dtype=np.float32),
    }
