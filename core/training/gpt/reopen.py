"""Take up a training of gpt-mini whose checkpoint is gone, from what it shipped.

    python -m core.training.gpt.reopen --data DIR --minutes N
    python -m core.training.gpt_mini --data DIR --minutes N

The first command writes a checkpoint, the second goes on from it; N counts the minutes of the
whole training, the shipped model's included. What is kept and what is lost: `reopening`.
"""

import json
import sys
from pathlib import Path

from tokenizers import Tokenizer
from transformers import GPT2LMHeadModel

from core.errors import InputError
from core.training.common.command import Options, command
from core.training.common.export import TOKENIZER_FILE
from core.training.common.reopening import reopen
from core.training.gpt.recipe import GptRecipe
from core.training.gpt_mini import prepared_recipe


def main(arguments: list[str] | None = None) -> int:
    return command("gpt-mini", arguments, needs="text/ and translation/", run=run)


def run(options: Options) -> None:
    reopen(options, recipe_at)


def recipe_at(options: Options, steps: int) -> GptRecipe:
    """The shipped weights, and other batches than those of the first steps."""
    prepared, recipe = prepared_recipe(options)
    if _merges(prepared.tokenizer) != _merges(_shipped(options.out)):
        raise InputError(
            f"the text in {options.data} gives a vocabulary that is not {options.out}'s"
        )
    weights = GPT2LMHeadModel.from_pretrained(options.out, dtype="float32").state_dict()
    recipe.model.load_state_dict(weights)
    recipe.steps = steps
    return recipe


def _shipped(folder: Path) -> Tokenizer:
    return Tokenizer.from_file(str(folder / TOKENIZER_FILE))


def _merges(tokenizer: Tokenizer) -> object:
    return json.loads(tokenizer.to_str())["model"]


if __name__ == "__main__":
    sys.exit(main())
