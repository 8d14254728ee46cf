"""Train transformer-en-de: the Transformer of 2017, on English–German sentence pairs.

    python -m core.training.transformer_en_de --data DIR --minutes N --device auto

Vaswani et al., "Attention Is All You Need", 2017. https://arxiv.org/abs/1706.03762.
Needs the extra `train`. Stop it at any time and start it again: it goes on from its last
checkpoint (`--minutes` counts all parts; a smaller number brings the end nearer).
"""

import logging
import sys

import torch

from core.training.common.command import Options, command
from core.training.common.device import quickest_attention
from core.training.common.loop import train
from core.training.translation.batches import TOKENS, Batches
from core.training.translation.export import ship
from core.training.translation.network import VOCABULARY_SIZE, build_model
from core.training.translation.pairs import prepare
from core.training.translation.recipe import SEED, TranslationRecipe

log = logging.getLogger("transformer-en-de")


def main(arguments: list[str] | None = None) -> int:
    return command("transformer-en-de", arguments, needs="translation/", run=run)


def run(options: Options) -> None:
    """Prepare, train (or go on), and ship when the time is over."""
    prepared = prepare(options.data, options.cache, vocabulary_size=VOCABULARY_SIZE)
    batches = Batches(prepared.training, seed=SEED, tokens=TOKENS[options.device])
    log.info("%d pairs, %d batches an epoch", len(prepared.training.english), batches.an_epoch)
    torch.manual_seed(SEED)
    model = build_model(drop_everywhere=options.device == "cuda")
    model.set_attn_implementation(quickest_attention(options.device))
    recipe = TranslationRecipe(model, prepared, batches, device=options.device)
    if options.device == "cpu":
        recipe.compile()
    history = train(recipe, minutes=options.minutes, checkpoint=options.cache / "checkpoint.pt")
    if not history.clock.is_over:
        log.info("stopped after step %d; the same command goes on from there", history.steps)
        return
    log.info("trained %d steps; measuring", history.steps)
    made_by = options.made_by(history)
    ship(model, prepared, history, data=options.data, folder=options.out, run=made_by)


if __name__ == "__main__":
    sys.exit(main())
