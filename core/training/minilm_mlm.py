"""Train minilm-mlm: the pretrained MiniLM gets the masked-LM head that it never had.

    python -m core.training.minilm_mlm --data DIR --minutes N --device auto

Wang et al., "MiniLM: Deep Self-Attention Distillation", 2020.
https://arxiv.org/abs/2002.10957. Needs the extra `train` and MiniLM's data package.
Stop it at any time and start it again: it goes on from its last checkpoint
(`--minutes` counts all parts; a smaller number brings the end nearer). When the checkpoint is
gone, `core.training.minilm.reopen` makes one from what was shipped.
"""

import logging
import sys

import torch

from core.training.bert.corpus import tokenise
from core.training.common.command import CHECKPOINT_FILE, Options, command
from core.training.common.device import quickest_attention
from core.training.common.loop import train
from core.training.common.texts import held_out_articles
from core.training.minilm.export import ship
from core.training.minilm.network import (
    base_folder,
    build_model,
    read_tokenizer,
    start_from_frequencies,
)
from core.training.minilm.prepare import prepare
from core.training.minilm.recipe import SEED, MiniLmRecipe

log = logging.getLogger("minilm-mlm")


def main(arguments: list[str] | None = None) -> int:
    return command("minilm-mlm", arguments, needs="text/, translation/ and facts/", run=run)


def run(options: Options) -> None:
    """Prepare, train (or go on), and ship when the time is over."""
    recipe = prepared_recipe(options, compiled=options.device == "cpu")
    history = train(recipe, minutes=options.minutes, checkpoint=options.cache / CHECKPOINT_FILE)
    if not history.clock.is_over:
        log.info("stopped after step %d; the same command goes on from there", history.steps)
        return
    log.info("trained %d steps on %d tokens", history.steps, recipe.tokens_read)
    ship(
        recipe.model,
        recipe.prepared,
        history,
        data=options.data,
        folder=options.out,
        run=options.made_by(history),
        tokens_read=recipe.tokens_read,
    )


def prepared_recipe(options: Options, *, compiled: bool) -> MiniLmRecipe:
    """The data and MiniLM with a fresh head and its optimiser, before the first step."""
    base = base_folder()
    tokenizer = read_tokenizer(base)
    prepared = prepare(options.data, options.cache, tokenizer)
    held_out = tokenise(held_out_articles(options.data), tokenizer)
    torch.manual_seed(SEED)
    model = build_model(base, attention=quickest_attention(options.device))
    start_from_frequencies(model, prepared.corpus.tokens)
    return MiniLmRecipe(model, prepared, held_out, device=options.device, compiled=compiled)


if __name__ == "__main__":
    sys.exit(main())
