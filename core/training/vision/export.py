"""From a finished training to the folder that ships: weights, moments, card."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor, nn

from core.models.load import load
from core.models.vision.autoencoder_network import MaskedAutoencoder
from core.models.vision.classifier import VisionModel
from core.models.vision.masked_autoencoder import DECODER_FILE
from core.trace.whole_file import write_whole
from core.training.common.card import Example, Run, write_card
from core.training.common.export import moments, write_snapshots
from core.training.common.loop import History, loss_curve
from core.training.vision import cards
from core.training.vision.classes import LABELS
from core.training.vision.gallery import classified_examples, painted_examples
from core.training.vision.heads import heads_note
from core.training.vision.measure import (
    classified,
    figures_of_answers,
    figures_of_paintings,
    reconstructed,
)
from core.training.vision.moments import PICTURE, fixed_picture
from core.training.vision.network import Architecture, config, half, picture_size

HEADS_PICTURES: Final = ("chelsea", "astronaut", "coffee", "rocket")  # of scikit-image


def ship_autoencoder(
    network: MaskedAutoencoder,
    history: History,
    *,
    architecture: Architecture,
    decoder: Mapping[str, int],
    data: Path,
    folder: Path,
    run: Run,
) -> None:
    """Write every file, each whole or not at all; the card comes last."""
    write_autoencoder(network, folder, architecture=architecture, decoder=decoder)
    write_snapshots(folder, _moments(history, "hidden_error"))
    paintings = list(reconstructed(folder, data))
    _write_card(
        cards.MAE,
        folder,
        history,
        run,
        settings=cards.masked_settings(run.trained_on),
        metrics=figures_of_paintings(paintings),
        examples=painted_examples(paintings),
    )


def write_autoencoder(
    network: MaskedAutoencoder,
    folder: Path,
    *,
    architecture: Architecture,
    decoder: Mapping[str, int],
) -> None:
    """A checkpoint directory that `core.load` opens: the encoder, the decoder beside it."""
    _write_config(folder, config(architecture, decoder=decoder))
    _write_weights(folder / "model.safetensors", network.encoder)
    _write_weights(folder / DECODER_FILE, network.decoder)


def ship_classifier(
    model: nn.Module,
    history: History,
    *,
    about: cards.About,
    architecture: Architecture,
    settings: Mapping[str, str],
    data: Path,
    folder: Path,
    run: Run,
) -> None:
    """Write every file, each whole or not at all; the card comes last."""
    _write_config(folder, config(architecture, labels=LABELS))
    content = save(_without_other_outputs(model))
    write_whole(folder / "model.safetensors", lambda file: file.write(content))
    write_snapshots(folder, _moments(history, "top_1"))
    answers = list(classified(folder, data))
    _write_card(
        about,
        folder,
        history,
        run,
        settings=settings,
        metrics=figures_of_answers(answers),
        examples=classified_examples(answers),
    )


def _write_card(
    about: cards.About,
    folder: Path,
    history: History,
    run: Run,
    *,
    settings: Mapping[str, str],
    metrics: Mapping[str, float],
    examples: list[Example],
) -> None:
    model = cast("VisionModel", load(folder, device="cpu"))
    told = model.card
    notes = {"moments": f"the fixed picture is {PICTURE} of scikit-image's package"}
    if getattr(model.module, "pos_embed", None) is not None:  # a ViT
        size = picture_size(model.module)
        pictures = [fixed_picture(size, name) for name in HEADS_PICTURES]
        notes["heads"] = heads_note(model.module, torch.cat(pictures))
    write_card(
        folder,
        cards.make(
            about,
            run,
            shape=(told.layers, told.heads, told.d_model, told.parameters),
            settings=settings,
            metrics=metrics,
            examples=examples,
            notes=notes,
            curve=loss_curve(history),
        ),
    )


def _moments(history: History, metric: str) -> dict[str, np.ndarray]:
    return moments(history) | {
        "metric_names": np.array([metric]),
        "picture": np.array(PICTURE),
    }


def _write_config(folder: Path, told: dict[str, Any]) -> None:
    text = json.dumps(told, indent=1)
    write_whole(folder / "config.json", lambda file: file.write(f"{text}\n".encode()))


def _without_other_outputs(model: Any) -> dict[str, Tensor]:
    """The weights, with the head's first outputs alone: the 27 classes."""
    weights = half(model)
    head = next(name for name, module in model.named_modules() if module is model.get_classifier())
    for name in (f"{head}.weight", f"{head}.bias"):
        weights[name] = weights[name][: len(LABELS)].clone()
    return weights


def _write_weights(path: Path, module: nn.Module) -> None:
    content = save(half(module))
    write_whole(path, lambda file: file.write(content))
