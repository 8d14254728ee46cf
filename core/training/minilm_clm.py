"""Train minilm-clm: the masked MiniLM learns to write, a token after the other.

    python -m core.training.minilm_clm --data DIR --minutes N --device auto

Rothe et al., "Leveraging Pre-trained Checkpoints for Sequence Generation Tasks", 2020.
https://arxiv.org/abs/1907.12461. Needs the extra `train`, MiniLM's data package and minilm-mlm.
Stop it at any time and start it again: it goes on from its last checkpoint (`--minutes` counts
all parts; a smaller number brings the end nearer). Where that is gone,
`core.training.minilm.causal.reopen` makes one from what was shipped.
"""

import logging
import sys

import torch

from core.training.common.command import CHECKPOINT_FILE, Options, command
from core.training.common.device import quickest_attention
from core.training.common.loop import train
from core.training.gpt.corpus import Prepared
from core.training.minilm.causal.corpus import prepare
from core.training.minilm.causal.export import ship
from core.training.minilm.causal.network import base_model, build_model
from core.training.minilm.causal.recipe import SEED, CausalRecipe
from core.training.minilm.causal.tokenizer import writing_tokenizer
from core.training.minilm.network import base_folder

log = logging.getLogger("minilm-clm")


def main(arguments: list[str] | None = None) -> int:
    return command("minilm-clm", arguments, needs="text/ and translation/", run=run)


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


def prepared_recipe(options: Options) -> tuple[Prepared, CausalRecipe]:
    """The data, and the masked model's weights with an optimiser, before the first step."""
    prepared = prepare(options.data, options.cache, writing_tokenizer(base_folder()))
    torch.manual_seed(SEED)
    model = build_model(base_model())
    model.set_attn_implementation(quickest_attention(options.device))
    return prepared, CausalRecipe(model, prepared, device=options.device)


if __name__ == "__main__":
    sys.exit(main())
