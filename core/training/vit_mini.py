"""Train vit-mini: a ViT with a class token, fine-tuned from mae-mini's encoder.

    python -m core.training.vit_mini --data DIR --minutes N --device auto

Dosovitskiy et al., "An Image is Worth 16x16 Words", 2021. https://arxiv.org/abs/2010.11929;
fine-tuning as in He et al. 2022, appendix A.2, https://arxiv.org/abs/2111.06377.
Needs the extra `train`, and mae-mini's folder beside its own (assets/models/mae-mini).
Stop it at any time and start it again: it goes on from its last checkpoint
(`--minutes` counts all parts; a smaller number brings the end nearer).
"""

import logging
import sys
from typing import Any, Final

import torch

from core.training.common.command import Options, command
from core.training.common.loop import train
from core.training.vision import cards
from core.training.vision.classify import ClassifierRecipe, Settings
from core.training.vision.export import ship_classifier
from core.training.vision.layer_decay import LayerDecay
from core.training.vision.moments import vit_moment
from core.training.vision.network import VIT, Architecture, build, start_from
from core.training.vision.prepare import prepare
from core.training.vision.recipe import EPSILON, SEED

log = logging.getLogger("vit-mini")
START = "mae-mini"  # its folder lies beside this model's
SETTINGS: Final = {
    "cpu": Settings(
        batch_size=64,
        learning_rate=1e-3,
        warmup=0.05,
        smallest_crop=0.3,
        magnitude=7,
        mixing=0.5,
        others=0.0,
        layer_decay=0.75,
        patch_drop=0.5,
    ),
    "cuda": Settings(
        batch_size=512,
        learning_rate=2e-3,
        warmup=0.05,
        smallest_crop=0.2,
        magnitude=9,
        mixing=0.8,
        others=0.4,
        layer_decay=0.75,
    ),
}


def main(arguments: list[str] | None = None) -> int:
    return command("vit-mini", arguments, needs="images/", run=run)


def run(options: Options) -> None:
    """Prepare, train (or go on), and ship when the time is over."""
    album = prepare(options.data, options.cache.parent / "photos")
    settings = SETTINGS[options.device]
    torch.manual_seed(SEED)
    model, optimiser = before_tuning(VIT, settings, classes=album.n_outputs, device=options.device)
    start_from(model, options.out.parent / START)
    recipe = ClassifierRecipe(
        model,
        optimiser,
        album,
        settings,
        moment=vit_moment,
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
        about=cards.VIT,
        architecture=VIT,
        settings=cards.classifier_settings(settings),
        data=options.data,
        folder=options.out,
        run=options.made_by(history),
    )


def before_tuning(
    architecture: Architecture, settings: Settings, *, classes: int, device: str
) -> tuple[Any, LayerDecay]:
    """A fresh network on the device, which takes an encoder's weights next, and its optimiser."""
    model = build(
        architecture,
        classes=classes,
        device=device,
        drop_path=settings.drop_path,
        patch_drop=settings.patch_drop,
    ).to(device)
    return model, LayerDecay(
        model,
        decay=settings.layer_decay or 1.0,
        betas=settings.betas,
        eps=EPSILON,
        weight_decay=settings.weight_decay,
    )


if __name__ == "__main__":
    sys.exit(main())
