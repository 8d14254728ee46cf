"""One training on a part of the photographs, and what it gets right of those it never saw."""

from dataclasses import replace
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.data.data_hunger import Kind
from core.training.vision.classes import NO_CLASS
from core.training.vision.classify import ClassifierRecipe
from core.training.vision.contestants import (
    DECODER,
    SIDE,
    VIT,
    network,
    optimiser,
    settings_of,
)
from core.training.vision.masked import MaskedRecipe
from core.training.vision.network import build_autoencoder
from core.training.vision.prepare import Album

KEPT_SIDE: Final = 72  # pixels of a square that crops are cut out of


def small(album: Album) -> Album:
    """The same photographs at KEPT_SIDE."""
    squares = [
        functional.interpolate(
            torch.from_numpy(np.array(part)).float(), (KEPT_SIDE, KEPT_SIDE), mode="area"
        )
        .round()
        .to(torch.uint8)
        .numpy()
        for part in np.array_split(album.pixels, -(-len(album.pixels) // 256))
    ]
    return replace(album, pixels=np.concatenate(squares))


def thinned(album: Album, share: float, seed: int) -> Album:
    """With an output for this share of every class's training photographs alone, one at least.

    Of one seed, a smaller share lies within a larger one.
    """
    chance = np.random.default_rng(seed)
    outputs = np.full_like(album.outputs, NO_CLASS)
    for label in range(int(album.labels.max()) + 1):
        photos = chance.permutation(np.flatnonzero((album.labels == label) & ~album.held_out))
        outputs[photos[: max(1, round(share * len(photos)))]] = label
    return replace(album, outputs=outputs)


def n_photos(album: Album) -> int:
    """That a classifier trains on."""
    return len(album.training(of_a_category=True))


def pretrained(album: Album, *, steps: int, seed: int, device: str) -> dict[str, Tensor]:
    """A masked autoencoder's encoder, of all photographs that are not held out, labels unread."""
    torch.manual_seed(seed)
    model = build_autoencoder(VIT, DECODER, device=device)
    recipe = MaskedRecipe(model, album, device=device, compiled=False)
    for step in range(steps):
        recipe.step(step / steps)
    return {name: weights.cpu() for name, weights in model.encoder.state_dict().items()}


def accuracy(
    kind: Kind,
    album: Album,
    *,
    steps: int,
    seed: int,
    device: str,
    encoder: dict[str, Tensor] | None = None,
) -> float:
    """Train on `album` and look at its held-out photographs once, at the end."""
    torch.manual_seed(seed)
    settings = settings_of(kind, device)
    model = network(kind, classes=album.n_outputs, device=device, encoder=encoder)
    recipe = ClassifierRecipe(
        model,
        optimiser(kind, model),
        album,
        settings,
        moment=_nothing,
        device=device,
        compiled=False,
        size=SIDE,
    )
    for step in range(steps):
        recipe.step(step / steps)
    return float(recipe.snapshot()["metrics"][0])


def _nothing(_: nn.Module) -> dict[str, Tensor]:
    return {}
