"""What the reopening commands share: a shipped folder as the beginning of a longer training.

Weights (as shipped: 16 bits), vocabulary, loss curve and moments are the earlier ones; the
optimisers' averages are lost and begin anew.
"""

import json
import logging
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from core.errors import InputError
from core.training.common.card import CARD_FILE
from core.training.common.command import CHECKPOINT_FILE, Options
from core.training.common.export import SNAPSHOTS_FILE
from core.training.common.loop import History, Recipe, save_training
from core.training.common.schedule import Clock

KEPT = ("positions", "attention", "metrics")  # at every moment, by the recipes of one text
log = logging.getLogger("reopen")


def reopen(options: Options, recipe_at: Callable[[Options, int], Recipe]) -> None:
    """Write the checkpoint, unless there is one already.

    recipe_at: the recipe with the shipped weights, after so many steps.
    """
    checkpoint = options.cache / CHECKPOINT_FILE
    if checkpoint.exists():
        raise InputError(f"{checkpoint} exists: go on from it, or delete it")
    history = earlier_part(options.out, minutes=options.minutes)
    save_training(recipe_at(options, history.steps), history, checkpoint)
    log.info("%.0f of %.0f minutes are done", history.clock.seconds / 60, options.minutes)


def earlier_part(shipped: Path, *, minutes: float) -> History:
    """What the folder tells of its training, as the beginning of one of so many minutes."""
    try:
        card = json.loads((shipped / CARD_FILE).read_text(encoding="utf-8"))
        with np.load(shipped / SNAPSHOTS_FILE) as file:
            arrays = dict(file)
    except (OSError, ValueError) as error:
        raise InputError(f"{shipped} tells of no training to go on with ({error})") from error
    seconds = float(card["seconds"])
    if seconds >= minutes * 60:
        raise InputError(
            f"{seconds / 60:.0f} minutes are done already; --minutes {minutes:g} adds none"
        )
    points, steps = card["loss_curve"], card["steps"]
    of_step = [points[step * len(points) // steps] for step in range(steps)]
    done = History(
        Clock(seconds, seconds),
        [fraction for fraction, _ in of_step],
        [loss for _, loss in of_step],
        [
            {name: torch.from_numpy(arrays[name][moment]) for name in KEPT}
            for moment in range(len(arrays["steps"]))
        ],
        arrays["steps"].tolist(),
    )
    return done.as_part_of(minutes)
