"""Train mae-mini: hide three patches of four, learn to paint them.

    python -m core.training.mae_mini --data DIR --minutes N --device auto

He et al., "Masked Autoencoders Are Scalable Vision Learners", 2022.
https://arxiv.org/abs/2111.06377. Needs the extra `train`. Its encoder is where vit-mini starts.
Stop it at any time and start it again: it goes on from its last checkpoint
(`--minutes` counts all parts; a smaller number brings the end nearer).
"""

import logging
import sys

import torch

from core.training.common.command import Options, command
from core.training.common.loop import train
from core.training.vision.export import ship_autoencoder
from core.training.vision.masked import MaskedRecipe
from core.training.vision.network import DECODER, VIT, build_autoencoder
from core.training.vision.prepare import prepare
from core.training.vision.recipe import SEED

log = logging.getLogger("mae-mini")


def main(arguments: list[str] | None = None) -> int:
    return command("mae-mini", arguments, needs="images/", run=run)


def run(options: Options) -> None:
    """Prepare, train (or go on), and ship when the time is over."""
    album = prepare(options.data, options.cache.parent / "photos")
    torch.manual_seed(SEED)
    network = build_autoencoder(VIT, DECODER, device=options.device)
    recipe = MaskedRecipe(network, album, device=options.device, compiled=True)
    log.info("%d photographs, %d held out", len(album.labels), int(album.held_out.sum()))
    history = train(recipe, minutes=options.minutes, checkpoint=options.cache / "checkpoint.pt")
    if not history.clock.is_over:
        log.info("stopped after step %d; the same command goes on from there", history.steps)
        return
    log.info("trained %d steps; measuring", history.steps)
    ship_autoencoder(
        network,
        history,
        architecture=VIT,
        decoder=DECODER,
        data=options.data,
        folder=options.out,
        run=options.made_by(history),
    )


if __name__ == "__main__":
    sys.exit(main())
