"""Take up a training of bert-mini whose checkpoint is gone, from what it shipped.

    python -m core.training.bert.reopen --data DIR --minutes N
    python -m core.training.bert_mini --data DIR --minutes N

The first command writes a checkpoint, the second goes on from it; N counts the minutes of the
whole training, the shipped model's included. What is kept and what is lost: `reopening`.
"""

import sys

import numpy as np
from transformers import BertForPreTraining

from core.trace.whole_file import write_whole
from core.training.bert.prepare import VOCABULARY_FILE
from core.training.bert.recipe import SEED, BertRecipe
from core.training.bert_mini import prepared_recipe
from core.training.common.command import Options, command
from core.training.common.reopening import reopen


def main(arguments: list[str] | None = None) -> int:
    return command("bert-mini", arguments, needs="text/, translation/ and facts/", run=run)


def run(options: Options) -> None:
    reopen(options, recipe_at)


def recipe_at(options: Options, steps: int) -> BertRecipe:
    """The shipped vocabulary and weights, and other random numbers than at the beginning."""
    vocabulary = (options.out / VOCABULARY_FILE).read_bytes()
    write_whole(options.cache / VOCABULARY_FILE, lambda file: file.write(vocabulary))
    _, recipe = prepared_recipe(options, compiled=False)
    weights = BertForPreTraining.from_pretrained(options.out, dtype="float32").state_dict()
    recipe.model.load_state_dict(weights)
    recipe.generator.bit_generator.state = np.random.default_rng([SEED, steps]).bit_generator.state
    return recipe


if __name__ == "__main__":
    sys.exit(main())
