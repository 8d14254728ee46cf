"""Take up a training whose checkpoint is gone, from what it shipped.

    python -m core.training.bert.reopen --data DIR --minutes N
    python -m core.training.bert_mini --data DIR --minutes N

The first command writes a checkpoint, the second goes on from it; N counts the minutes of the
whole training, the shipped model's included. Weights (as shipped: 16 bits), vocabulary, loss
curve and moments are the earlier ones; the optimisers' averages are lost and begin anew.
"""

import json
import logging
import sys
from pathlib import Path

import numpy as np
import torch
from transformers import BertForPreTraining

from core.errors import InputError
from core.training.bert.prepare import VOCABULARY_FILE
from core.training.bert.recipe import SEED, BertRecipe
from core.training.bert_mini import prepared_recipe
from core.training.card import CARD_FILE
from core.training.checkpoint import write_whole
from core.training.command import CHECKPOINT_FILE, Options, command
from core.training.export import SNAPSHOTS_FILE
from core.training.loop import SNAPSHOT_FRACTIONS, History, save_training
from core.training.schedule import Clock

KEPT = ("positions", "attention", "metrics")
log = logging.getLogger("bert-mini")


def main(arguments: list[str] | None = None) -> int:
    return command("bert-mini", arguments, needs="text/ and facts/", run=run)


def run(options: Options) -> None:
    """Write the checkpoint, unless there is one already."""
    checkpoint = options.cache / CHECKPOINT_FILE
    if checkpoint.exists():
        raise InputError(f"{checkpoint} exists: go on from it, or delete it")
    history = earlier_part(options.out, minutes=options.minutes)
    vocabulary = (options.out / VOCABULARY_FILE).read_bytes()
    write_whole(options.cache / VOCABULARY_FILE, lambda file: file.write(vocabulary))
    _, recipe = prepared_recipe(options, compiled=False)
    take_weights(recipe, options.out, steps=history.steps)
    save_training(recipe, history, checkpoint)
    log.info("%.0f of %.0f minutes are done", history.clock.seconds / 60, options.minutes)


def take_weights(recipe: BertRecipe, shipped: Path, *, steps: int) -> None:
    """The shipped weights, and other random numbers than those of the first steps."""
    weights = BertForPreTraining.from_pretrained(shipped, dtype="float32").state_dict()
    recipe.model.load_state_dict(weights)
    recipe.generator = np.random.default_rng([SEED, steps])


def earlier_part(shipped: Path, *, minutes: float) -> History:
    """What the folder tells of its training, as the beginning of one of so many minutes.

    Of its moments, those nearest to where the longer training would have kept one.
    """
    try:
        card = json.loads((shipped / CARD_FILE).read_text(encoding="utf-8"))
        with np.load(shipped / SNAPSHOTS_FILE) as file:
            arrays = dict(file)
    except (OSError, ValueError) as error:
        raise InputError(f"{shipped} tells of no training to go on with ({error})") from error
    clock = Clock(minutes * 60, float(card["seconds"]))
    if clock.is_over:
        done = clock.seconds / 60
        raise InputError(f"{done:.0f} minutes are done already; --minutes {minutes:g} adds none")
    fractions = arrays["fractions"] * clock.fraction
    taken = [
        int(np.abs(fractions - fraction).argmin())
        for fraction in SNAPSHOT_FRACTIONS
        if fraction <= clock.fraction
    ]
    points, steps = card["loss_curve"], card["steps"]
    of_step = [points[step * len(points) // steps] for step in range(steps)]
    return History(
        clock,
        [clock.fraction * fraction for fraction, _ in of_step],
        [loss for _, loss in of_step],
        [{name: torch.from_numpy(arrays[name][at]) for name in KEPT} for at in taken],
        arrays["steps"][taken].tolist(),
    )


if __name__ == "__main__":
    sys.exit(main())
