"""Take up a training of minilm-clm whose checkpoint is gone, from what it shipped.

    python -m core.training.minilm.causal.reopen --data DIR --minutes N
    python -m core.training.minilm_clm --data DIR --minutes N

The first command writes a checkpoint, the second goes on from it; N counts the minutes of the
whole training, the shipped model's included. What is kept and what is lost: `reopening`; here
also what the low-rank factors left out.
"""

import sys

from core.training.common.command import Options, command
from core.training.common.reopening import reopen
from core.training.minilm.causal.evaluate import open_model
from core.training.minilm.causal.recipe import CausalRecipe
from core.training.minilm_clm import prepared_recipe


def main(arguments: list[str] | None = None) -> int:
    return command("minilm-clm", arguments, needs="text/ and translation/", run=run)


def run(options: Options) -> None:
    reopen(options, recipe_at)


def recipe_at(options: Options, steps: int) -> CausalRecipe:
    """The shipped weights, and other batches than those of the first steps."""
    _, recipe = prepared_recipe(options)
    recipe.model.load_state_dict(open_model(options.out).state_dict())
    recipe.steps = steps
    return recipe


if __name__ == "__main__":
    sys.exit(main())
