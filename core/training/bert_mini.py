"""Train bert-mini: BERT's two tasks on Wikipedia, books and told facts.

    python -m core.training.bert_mini --data DIR --minutes N --device auto

Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language
Understanding", 2018. https://arxiv.org/abs/1810.04805. Needs the extra `train`.
Stop it at any time and start it again: it goes on from its last checkpoint
(`--minutes` counts all parts; a smaller number brings the end nearer).
"""

import argparse
import logging
import sys
from pathlib import Path

import torch

from core.errors import InputError
from core.training.bert.card import Run
from core.training.bert.corpus import held_out_documents, tokenise
from core.training.bert.export import ship
from core.training.bert.network import VOCABULARY_SIZE, build_model, start_from_frequencies
from core.training.bert.prepare import prepare
from core.training.bert.recipe import SEED, BertRecipe
from core.training.device import CHOICES, device_name, pick_device
from core.training.loop import train

log = logging.getLogger("bert-mini")
CACHE = Path(".cache/training/bert-mini")
SHIPPED = Path("assets/models/bert-mini")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Train bert-mini.")
    parser.add_argument("--data", type=Path, required=True, help="folder with text/ and facts/")
    parser.add_argument("--minutes", type=float, default=100.0, help="in all, resumed parts too")
    parser.add_argument("--device", choices=CHOICES, default="auto")
    parser.add_argument("--cache", type=Path, default=CACHE, help="checkpoints, tokenised text")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="where the model is shipped")
    parser.add_argument("--note", default="", help="what the card should say about this run")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    try:
        run(options)
    except InputError as error:
        log.error("%s", error)
        return 1
    return 0


def run(options: argparse.Namespace) -> None:
    """Prepare, train (or go on), and ship when the time is over."""
    data, cache = Path(options.data), Path(options.cache)
    device = pick_device(options.device)
    prepared = prepare(data, cache, vocabulary_size=VOCABULARY_SIZE)
    log.info("%d tokens to train on", len(prepared.corpus.tokens))
    held_out = tokenise(held_out_documents(data), prepared.tokenizer)
    torch.manual_seed(SEED)
    model = build_model()
    start_from_frequencies(model, prepared.corpus.tokens)
    model.set_attn_implementation("eager")  # its backward is twice as fast on a CPU
    recipe = BertRecipe(model, prepared, held_out, device=device, compiled=True)
    history = train(recipe, minutes=options.minutes, checkpoint=cache / "checkpoint.pt")
    if not history.clock.is_over:
        log.info("stopped after step %d; the same command goes on from there", history.steps)
        return
    log.info("trained %d steps; measuring", history.steps)
    made_by = Run(
        device=device_name(device),
        trained_on=device,
        seconds=history.clock.seconds,
        steps=history.steps,
        minutes=options.minutes,
        note=options.note,
    )
    ship(model, prepared.tokenizer, history, data=data, folder=options.out, run=made_by)


if __name__ == "__main__":
    sys.exit(main())
