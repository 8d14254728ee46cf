"""Train gpt-mini: GPT-2's layout on Wikipedia and children's books.

    python -m core.training.gpt_mini --data DIR --minutes N --device auto

Radford et al., "Language Models are Unsupervised Multitask Learners", 2019 (GPT-2).
Needs the extra `train`. Stop it at any time and start it again: it goes on from its last
checkpoint (`--minutes` counts all parts; a smaller number brings the end nearer).
"""

import logging
import sys

import torch

from core.training.command import Options, command
from core.training.gpt.corpus import prepare
from core.training.gpt.export import ship
from core.training.gpt.network import CONTEXT, VOCABULARY_SIZE, build_model
from core.training.gpt.recipe import SEED, GptRecipe
from core.training.loop import train

log = logging.getLogger("gpt-mini")


def main(arguments: list[str] | None = None) -> int:
    return command("gpt-mini", arguments, needs="text/", run=run)


def run(options: Options) -> None:
    """Prepare, train (or go on), and ship when the time is over."""
    prepared = prepare(
        options.data, options.cache, vocabulary_size=VOCABULARY_SIZE, longest=CONTEXT
    )
    log.info("%d + %d tokens to train on", len(prepared.wiki), len(prepared.books))
    torch.manual_seed(SEED)
    model = build_model()
    model.set_attn_implementation("eager")  # its backward is twice as fast on a CPU
    recipe = GptRecipe(model, prepared, device=options.device)
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
