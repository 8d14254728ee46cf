"""A causal model's first guesses for the word that follows an everyday beginning."""

from collections.abc import Callable

import torch
from tokenizers import Tokenizer
from transformers import PreTrainedModel

from core.training.common.everyday import FIRST, Everyday
from core.training.gpt.tokenizer import END


def guesses(
    model: PreTrainedModel, tokenizer: Tokenizer, *, start: int = END
) -> Callable[[Everyday], list[str]]:
    """What answers a question that is a beginning: the FIRST likeliest next tokens."""

    def of(question: Everyday) -> list[str]:
        if question.beginning is None:
            raise ValueError(f"words follow the blank: {question.sentence}")
        ids = [start, *tokenizer.encode(question.beginning, add_special_tokens=False).ids]
        with torch.inference_mode():
            best = model(torch.tensor([ids])).logits[0, -1].topk(FIRST)
        return [tokenizer.decode([index]) for index in best.indices.tolist()]

    return of
