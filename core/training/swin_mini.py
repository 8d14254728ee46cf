"""Train swin-mini: attention in shifted windows, grids of 28, 14 and 7 patches.

    python -m core.training.swin_mini --data DIR --minutes N --device auto

Liu et al., "Swin Transformer: Hierarchical Vision Transformer using Shifted Windows", 2021.
https://arxiv.org/abs/2103.14030. Needs the extra `train`.
Stop it at any time and start it again: it goes on from its last checkpoint
(`--minutes` counts all parts; a smaller number brings the end nearer).
"""

import logging
import sys
from typing import Final

import torch

from core.training.common.command import Options, command
from core.training.common.loop import train
from core.training.vision import cards
from core.training.vision.classify import ClassifierRecipe, Settings
from core.training.vision.export import ship_classifier
from core.training.vision.moments import swin_moment
from core.training.vision.network import SWIN, build
from core.training.vision.prepare import prepare
from core.training.vision.recipe import SEED, muon_and_adamw

log = logging.getLogger("swin-mini")
SETTINGS: Final = {
    "cpu": Settings(
        batch_size=64,
        learning_rate=1e-3,
        warmup=0.05,
        smallest_crop=0.3,
        magnitude=7,
        mixing=0.5,
        others=0.0,
    ),
    "cuda": Settings(
        batch_size=512,
        learning_rate=2e-3,
        warmup=0.05,
        smallest_crop=0.2,
        magnitude=9,
        mixing=0.8,
        others=0.4,
        drop_path=0.2,
    ),
}


def main(arguments: list[str] | None = None) -> int:
    return command("swin-mini", arguments, needs="images/", run=run)


def run(options: Options) -> None:
    """Prepare, train (or go on), and ship when the time is over."""
    album = prepare(options.data, options.cache.parent / "photos")
    settings = SETTINGS[options.device]
    torch.manual_seed(SEED)
    model = build(
        SWIN, classes=album.n_outputs, device=options.device, drop_path=settings.drop_path
    )
    model.to(options.device)
    recipe = ClassifierRecipe(
        model,
        muon_and_adamw(model, betas=settings.betas, weight_decay=settings.weight_decay),
        album,
        settings,
        moment=swin_moment,
        device=options.device,
        compiled=options.device == "cuda",
    )
    history = train(recipe, minutes=options.minutes, checkpoint=options.cache / "checkpoint.pt")
    if not history.clock.is_over:
        log.info("stopped after step %d; the same command goes on from there", history.steps)
        return
    log.info("trained %d steps; measuring", history.steps)
    ship_classifier(
        model,
        history,
        about=cards.SWIN,
        architecture=SWIN,
        settings=cards.classifier_settings(settings),
        data=options.data,
        folder=options.out,
        run=options.made_by(history),
    )


if __name__ == "__main__":
    sys.exit(main())
