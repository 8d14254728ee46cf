"""Train detr-mini: find and name coloured shapes in generated scenes.

    python -m core.training.detr_mini --minutes N --device auto

Carion et al., "End-to-End Object Detection with Transformers", 2020.
https://arxiv.org/abs/2005.12872. Needs the extra `train`, and no data: scenes are drawn.
Stop it at any time and start it again: it goes on from its last checkpoint
(`--minutes` counts all parts; a smaller number brings the end nearer).
"""

import logging
import sys

import torch

from core.training.common.command import Options, command
from core.training.common.loop import train
from core.training.detection.export import ship
from core.training.detection.network import build
from core.training.detection.recipe import SEED, DetectionRecipe

log = logging.getLogger("detr-mini")


def main(arguments: list[str] | None = None) -> int:
    return command("detr-mini", arguments, needs=None, run=run)


def run(options: Options) -> None:
    """Train (or go on), and ship when the time is over."""
    torch.manual_seed(SEED)
    network = build()
    recipe = DetectionRecipe(network, device=options.device)
    history = train(recipe, minutes=options.minutes, checkpoint=options.cache / "checkpoint.pt")
    if not history.clock.is_over:
        log.info("stopped after step %d; the same command goes on from there", history.steps)
        return
    log.info("trained %d steps; measuring", history.steps)
    ship(network, history, folder=options.out, run=options.made_by(history))


if __name__ == "__main__":
    sys.exit(main())
