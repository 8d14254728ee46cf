"""Take up a training of minilm-mlm whose checkpoint is gone, from what it shipped.

    python -m core.training.minilm.reopen --data DIR --minutes N
    python -m core.training.minilm_mlm --data DIR --minutes N

The first command writes a checkpoint, the second goes on from it; N counts the minutes of the
whole training, the shipped model's included. What is kept and what is lost: `reopening`; here
also what the low-rank factors left out.
"""

import json
import sys

import numpy as np

from core.training.common.card import CARD_FILE
from core.training.common.command import Options, command
from core.training.common.reopening import reopen
from core.training.minilm.card import tokens_read
from core.training.minilm.evaluate import open_model
from core.training.minilm.recipe import SEED, MiniLmRecipe
from core.training.minilm_mlm import prepared_recipe


def main(arguments: list[str] | None = None) -> int:
    return command("minilm-mlm", arguments, needs="text/, translation/ and facts/", run=run)


def run(options: Options) -> None:
    reopen(options, recipe_at)


def recipe_at(options: Options, steps: int) -> MiniLmRecipe:
    """The shipped weights, and other batches than those of the first steps."""
    recipe = prepared_recipe(options, compiled=False)
    recipe.model.load_state_dict(open_model(options.out).state_dict())
    recipe.generator.bit_generator.state = np.random.default_rng([SEED, steps]).bit_generator.state
    recipe.steps = steps
    recipe.tokens_read = tokens_read(json.loads((options.out / CARD_FILE).read_text("utf-8")))
    return recipe


if __name__ == "__main__":
    sys.exit(main())
