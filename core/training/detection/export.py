"""From a finished training to the folder that ships: weights, moments, card."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.torch import save
from torch import nn

from core.data.synthetic_scenes import SHAPES
from core.trace.whole_file import write_whole
from core.training.common.card import Run, write_card
from core.training.common.export import moments, write_snapshots
from core.training.common.loop import History, loss_curve
from core.training.detection import card, measure
from core.training.detection.network import SHAPE
from core.training.detection.recipe import FIRST_UNSEEN
from core.training.vision.network import half


def ship(network: nn.Module, history: History, *, folder: Path, run: Run) -> None:
    """Write every file, each whole or not at all; the card comes last."""
    write_detector(network, folder, shape=SHAPE)
    taken = moments(history) | {
        "metric_names": np.array(["mean_giou"]),
        "scene": np.array(str(FIRST_UNSEEN)),
    }
    write_snapshots(folder, taken)
    told = list(measure.answers(folder))
    made = card.make(
        run,
        parameters=sum(parameter.numel() for parameter in network.parameters()),
        metrics=measure.figures_of(told),
        examples=card.examples_of(told),
        curve=loss_curve(history),
    )
    write_card(folder, made)


def write_detector(network: nn.Module, folder: Path, *, shape: dict[str, Any]) -> None:
    """A checkpoint directory that `core.load` opens."""
    text = json.dumps({"detector": shape, "labels": SHAPES}, indent=1)
    write_whole(folder / "config.json", lambda file: file.write(f"{text}\n".encode()))
    content = save(half(network))
    write_whole(folder / "model.safetensors", lambda file: file.write(content))
