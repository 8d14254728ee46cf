"""A masked model's first guesses for an everyday sentence's blank."""

from collections.abc import Callable

import torch
from tokenizers import Tokenizer
from transformers import BertForMaskedLM, BertForPreTraining

from core.training.common.everyday import BLANK, FIRST, Everyday


def guesses(
    model: BertForMaskedLM | BertForPreTraining, tokenizer: Tokenizer
) -> Callable[[Everyday], list[str]]:
    """What answers a question: the FIRST likeliest tokens behind [MASK], likeliest first."""

    def of(question: Everyday) -> list[str]:
        asked = tokenizer.encode(question.sentence.replace(BLANK, "[MASK]"))
        with torch.inference_mode():
            states = model.bert(torch.tensor([asked.ids])).last_hidden_state
            states = states[0, asked.tokens.index("[MASK]")]
            best = model.cls.predictions(states[None])[0].topk(FIRST)
        return [tokenizer.id_to_token(index) or "" for index in best.indices.tolist()]

    return of
