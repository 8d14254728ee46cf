"""Train gpt-mini: GPT-2's layout on Wikipedia, children's books and everyday sentences.

    python -m core.training.gpt_mini --data DIR --minutes N --device auto

Radford et al., "Language Models are Unsupervised Multitask Learners", 2019 (GPT-2).
Needs the extra `train`. Stop it at any time and start it again: it goes on from its last
checkpoint (`--minutes` counts all parts; a smaller number brings the end nearer). Where that
is gone, `core.training.gpt.reopen` makes one from what was shipped.
"""

import logging
import sys

import torch

from core.training.common.command import CHECKPOINT_FILE, Options, command
from core.training.common.device import quickest_attention
from core.training.common.loop import train
from core.training.gpt.corpus import Prepared, prepare
from core.training.gpt.export import ship
from core.training.gpt.network import CONTEXT, VOCABULARY_SIZE, build_model
from core.training.gpt.recipe import SEED, GptRecipe

log = logging.getLogger("gpt-mini")


def main(arguments: list[str] | None = None) -> int:
    return command("gpt-mini", arguments, needs="text/ and translation/", run=run)


def run(options: Options) -> None:
    """Prepare, train (or go on), and ship when the time is over."""
    prepared, recipe = prepared_recipe(options)
    n_tokens = map(len, (prepared.wiki, prepared.books, prepared.sentences))
    log.info("%d + %d + %d tokens to train on", *n_tokens)
    recipe.compile()
    history = train(recipe, minutes=options.minutes, checkpoint=options.cache / CHECKPOINT_FILE)
    if not history.clock.is_over:
        log.info("stopped after step %d; the same command goes on from there", history.steps)
        return
    log.info("trained %d steps; measuring", history.steps)
    ship(
        recipe.model,
        prepared,
        history,
        data=options.data,
        folder=options.out,
        run=options.made_by(history),
    )


def prepared_recipe(options: Options) -> tuple[Prepared, GptRecipe]:
    """The data and a fresh model with its optimisers, before the first step."""
    prepared = prepare(
        options.data, options.cache, vocabulary_size=VOCABULARY_SIZE, longest=CONTEXT
    )
    torch.manual_seed(SEED)
    model = build_model()
    model.set_attn_implementation(quickest_attention(options.device))
    return prepared, GptRecipe(model, prepared, device=options.device)


if __name__ == "__main__":
    sys.exit(main())
