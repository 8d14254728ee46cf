"""How right is vit-mini with low-rank updates, and with 8-bit weights?

    .venv/bin/python -m tests.benchmarks.cheap_tuning --data DIR

writes assets/cheap_tuning.json: top-1 on the held-out photographs of the 27 classes for every rank
of the update (0 is mae-mini's matrices under the tuned head, norms and biases) and for every block
size of absmax int8. Building blocks shows it under "Fine-tuning cheaply".
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import torch
from torch.func import functional_call

from app.services.blocks import CHEAP_ACCURACIES
from core.catalog.checkpoints import card_sheet
from core.errors import InputError
from core.models.load import load
from core.models.vision.classifier import VisionModel
from core.models.vision.fine_tuning import changed_matrices, weight_updates
from core.outputs.fine_tuning import Int8, LowRank
from core.training.vision.classes import LABELS
from core.training.vision.photos import read_photos

MODEL = "vit-mini"
RANKS = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256)
BLOCKS = (16, 64, 256, 1024, 4096, 0)  # 0: the whole matrix is one block
BATCH = 64


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure cheaper forms of a fine-tuning.")
    parser.add_argument("--data", type=Path, required=True, help="folder with images/")
    options = parser.parse_args(arguments)
    torch.set_num_threads(2)
    began = time.monotonic()
    try:
        model = load(MODEL)
        photos = [p for p in read_photos(options.data) if p.held_out and p.label >= 0]
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if not isinstance(model, VisionModel):
        raise TypeError(f"{MODEL} is no picture model")
    pixels = torch.stack([model.transform(photo.picture()) for photo in photos])
    wanted = torch.tensor([model.labels.index(LABELS[photo.label]) for photo in photos])
    changes = [LowRank(rank) for rank in RANKS] + [Int8(block or None) for block in BLOCKS]
    updates = weight_updates(model.card, model.module)
    weights = [{}, *(changed_matrices(model.module, change, updates) for change in changes)]
    with torch.inference_mode():
        full, *shares = (_share(model, made, pixels, wanted) for made in weights)
    measured = {
        "model": MODEL,
        "steps": card_sheet(model.card)["steps"],
        "pictures": len(pixels),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "command": "python -m tests.benchmarks.cheap_tuning --data DIR",
        "seconds": round(time.monotonic() - began),
        "full": full,
        "low_rank": dict(zip(map(str, RANKS), shares[: len(RANKS)], strict=True)),
        "int8": dict(zip(map(str, BLOCKS), shares[len(RANKS) :], strict=True)),
    }
    CHEAP_ACCURACIES.write_text(json.dumps(measured, indent=1) + "\n")
    sys.stdout.write(json.dumps(measured, indent=1) + "\n")
    return 0


def _share(
    model: VisionModel, made: dict[str, torch.Tensor], pixels: torch.Tensor, wanted: torch.Tensor
) -> float:
    """How many photographs the model gets right with these matrices."""
    right = 0
    for batch, answer in zip(pixels.split(BATCH), wanted.split(BATCH), strict=True):
        logits = functional_call(model.module, made, (batch,))
        right += int((logits.argmax(-1) == answer).sum())
    return right / len(pixels)


if __name__ == "__main__":
    sys.exit(main())
