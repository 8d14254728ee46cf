"""Train bert-mini: BERT's two tasks on Wikipedia and books, everyday sentences and told facts.

    python -m core.training.bert_mini --data DIR --minutes N --device auto

Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language
Understanding", 2018. https://arxiv.org/abs/1810.04805. Needs the extra `train`.
Stop it at any time and start it again: it goes on from its last checkpoint
(`--minutes` counts all parts; a smaller number brings the end nearer). Where the checkpoint
is gone, `core.training.bert.reopen` makes one from what was shipped.
"""

import logging
import sys

import torch

from core.training.bert.corpus import tokenise
from core.training.bert.export import ship
from core.training.bert.network import VOCABULARY_SIZE, build_model, start_from_frequencies
from core.training.bert.prepare import VOCABULARY_FILE, Prepared, prepare
from core.training.bert.recipe import SEED, BertRecipe
from core.training.common.command import CHECKPOINT_FILE, Options, command
from core.training.common.device import quickest_attention
from core.training.common.loop import train
from core.training.common.texts import held_out_articles

log = logging.getLogger("bert-mini")


def main(arguments: list[str] | None = None) -> int:
    return command("bert-mini", arguments, needs="text/, translation/ and facts/", run=run)


def run(options: Options) -> None:
    """Prepare, train (or go on), and ship when the time is over."""
    prepared, recipe = prepared_recipe(options, compiled=options.device == "cpu")
    log.info("%d tokens to train on", len(prepared.corpus.tokens))
    history = train(recipe, minutes=options.minutes, checkpoint=options.cache / CHECKPOINT_FILE)
    if not history.clock.is_over:
        log.info("stopped after step %d; the same command goes on from there", history.steps)
        return
    log.info("trained %d steps; measuring", history.steps)
    ship(
        recipe.model,
        prepared.tokenizer,
        history,
        data=options.data,
        folder=options.out,
        run=options.made_by(history),
    )


def prepared_recipe(options: Options, *, compiled: bool) -> tuple[Prepared, BertRecipe]:
    """The data and a fresh model with its optimisers, before the first step."""
    earlier = options.cache / VOCABULARY_FILE  # of a training that `bert.reopen` took up again
    prepared = prepare(
        options.data,
        options.cache,
        vocabulary_size=VOCABULARY_SIZE,
        vocabulary=earlier if earlier.is_file() else None,
    )
    held_out = tokenise(held_out_articles(options.data), prepared.tokenizer)
    torch.manual_seed(SEED)
    model = build_model()
    start_from_frequencies(model, prepared.corpus.tokens)
    model.set_attn_implementation(quickest_attention(options.device))
    return prepared, BertRecipe(model, prepared, held_out, device=options.device, compiled=compiled)


if __name__ == "__main__":
    sys.exit(main())
