"""How right four kinds of network are that saw a tenth, a third or all of the photographs.

    python -m core.training.data_hunger --data DIR --device auto

After figure 4 of Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, in small: see
`core.training.vision.contestants`. Writes assets/data_hunger.json, which the vision page shows.
Needs the extra `train`. Stop it at any time and start it again: trainings that are done are kept.
"""

import argparse
import json
import logging
import math
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
import torch
from scipy import stats
from torch import Tensor

from core.data.data_hunger import PLACE, DataHunger, Kind, Point, write
from core.errors import InputError
from core.training.common.command import CACHES
from core.training.common.device import CHOICES, device_name, pick_device
from core.training.vision.contestants import BATCH_SIZE, SIDE, network
from core.training.vision.hunger import accuracy, n_photos, pretrained, small, thinned
from core.training.vision.prepare import Album, prepare

SHARES: Final = (0.1, 0.3, 1.0)  # of the photographs
SEEDS: Final = (0, 1, 2)
STEPS: Final = {"cpu": 400, "cuda": 1000}  # of every training
PRETRAINING_STEPS: Final = 2500
log = logging.getLogger("data-hunger")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with images/")
    parser.add_argument("--steps", type=int, help=f"of every training; default: {STEPS}")
    parser.add_argument("--pretraining-steps", type=int, default=PRETRAINING_STEPS)
    parser.add_argument("--device", choices=CHOICES, default="auto")
    parser.add_argument("--cache", type=Path, default=CACHES / "data-hunger")
    parser.add_argument("--out", type=Path, default=PLACE)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    try:
        device = pick_device(given.device)
        album = small(prepare(given.data, given.cache.parent / "photos"))
    except InputError as error:
        log.error("%s", error)
        return 1
    steps = STEPS[device] if given.steps is None else given.steps
    runs = Runs(album, given.cache, steps, given.pretraining_steps, device)
    write(runs.measured(), given.out)
    return 0


class Runs:
    """Every training of the experiment, each kept in the cache once it is done."""

    def __init__(
        self, album: Album, cache: Path, steps: int, pretraining_steps: int, device: str
    ) -> None:
        self._album = album
        self._cache = cache / f"{steps}-{pretraining_steps}"
        self._cache.mkdir(parents=True, exist_ok=True)
        self._steps, self._pretraining_steps = steps, pretraining_steps
        self._device = device

    def measured(self) -> DataHunger:
        """All of them; a seed's before the next one's."""
        trained = product(SEEDS, SHARES, Kind)
        runs = {(kind, share, seed): self._run(kind, share, seed) for seed, share, kind in trained}
        points = [
            self._point(kind, share, [runs[kind, share, seed]["accuracy"] for seed in SEEDS])
            for kind, share in product(Kind, SHARES)
        ]
        return DataHunger(
            points,
            parameters={kind: self._n_parameters(kind) for kind in Kind},
            side=SIDE,
            classes=self._n_classes,
            held_out=len(self._album.unseen(of_a_class=True)),
            pretrained_on=len(self._album.training()),
            steps=self._steps,
            batch=BATCH_SIZE[self._device],
            pretraining_steps=self._pretraining_steps,
            device=device_name(self._device),
            seconds=round(sum(run["seconds"] for run in runs.values())),
            date=f"{datetime.now(UTC):%Y-%m-%d}",
        )

    def _point(self, kind: Kind, share: float, accuracies: list[float]) -> Point:
        mean, half = interval(accuracies)
        photos = n_photos(thinned(self._album, share, SEEDS[0]))
        return Point(kind, share, photos, accuracies, mean, mean - half, mean + half)

    def _n_parameters(self, kind: Kind) -> int:
        model = network(kind, classes=self._n_classes, device=self._device, encoder=self._encoder())
        return sum(parameter.numel() for parameter in model.parameters())

    @property
    def _n_classes(self) -> int:
        return int(self._album.labels.max()) + 1

    def _run(self, kind: Kind, share: float, seed: int) -> dict[str, float]:
        path = self._cache / f"{kind}-{share}-{seed}.json"
        if not path.exists():
            began = time.monotonic()
            right = accuracy(
                kind,
                thinned(self._album, share, seed),
                steps=self._steps,
                seed=seed,
                device=self._device,
                encoder=self._encoder(),
            )
            done = {"accuracy": round(right, 4), "seconds": time.monotonic() - began}
            path.write_text(json.dumps(done))
            log.info("%s, %s of the photographs, seed %d: %.3f", kind, share, seed, right)
        return json.loads(path.read_text())

    def _encoder(self) -> dict[str, Tensor]:
        path = self._cache / "encoder.pt"
        if not path.exists():
            made = pretrained(
                self._album, steps=self._pretraining_steps, seed=SEEDS[0], device=self._device
            )
            torch.save(made, path)
            log.info("pre-trained on %d photographs", len(self._album.training()))
        return torch.load(path, weights_only=True)


def interval(accuracies: Sequence[float]) -> tuple[float, float]:
    """Their mean, and half of its 95 % interval by Student's t."""
    n = len(accuracies)
    spread = float(np.std(accuracies, ddof=1)) / math.sqrt(n)
    return float(np.mean(accuracies)), float(stats.t.ppf(0.975, n - 1)) * spread


if __name__ == "__main__":
    sys.exit(main())
