"""From a finished training to the folder that ships: every file whole or not at all."""

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from transformers import PreTrainedModel

from core.data.snapshots import AT
from core.trace.whole_file import write_whole
from core.training.common.loop import History, loss_curve

SNAPSHOTS_FILE = "snapshots.npz"
TOKENIZER_FILE = "tokenizer.json"
LARGE = 50_000  # numbers of an array at a moment; of a larger one, only some moments are kept
KEPT_OF_LARGE = (0, 3, 5)  # of the eight, and the last


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
        _write_all(made, folder)


def write_tokenizer(folder: Path, save_tokenizer: Callable[[Path], None]) -> None:
    """The tokenizer alone, of a model whose weights are an update."""
    with tempfile.TemporaryDirectory() as temporary:
        save_tokenizer(Path(temporary))
        _write_all(Path(temporary), folder)


def _write_all(made: Path, folder: Path) -> None:
    tokenizer = made / TOKENIZER_FILE
    told = json.loads(tokenizer.read_text("utf-8"))
    compact = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    tokenizer.write_text(compact, "utf-8")  # half the bytes: no line for every id
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
    Arrays that are LARGE come from some of the moments only: those that `<name>_at` tells.
    """
    taken = history.snapshots
    ends = [*history.fractions, 1.0]
    stacked = {name: torch.stack([moment[name] for moment in taken]).numpy() for name in taken[0]}
    large = [name for name, values in stacked.items() if values[0].size > LARGE]
    last = len(taken) - 1
    kept = np.array([*(at for at in KEPT_OF_LARGE if at < last), last])
    return thinned(stacked, large, kept) | {
        "steps": np.array(history.taken_at),
        "fractions": np.array([ends[min(step, len(ends) - 1)] for step in history.taken_at]),
        "loss_curve": np.array(loss_curve(history), dtype=np.float32),
    }


def thinned(
    arrays: Mapping[str, np.ndarray], names: Sequence[str], at: np.ndarray
) -> dict[str, np.ndarray]:
    """The arrays, those of these names at the moments `at` only, which `<name>_at` tells."""
    fewer = {name: arrays[name][at] for name in names}
    return {**arrays, **fewer, **{name + AT: at for name in names}}
