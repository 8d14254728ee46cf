"""Outputs of the shipped model for its card; right and wrong ones alike are shown."""

import torch
from tokenizers import Tokenizer
from transformers import BertForMaskedLM

from core.training.common.card import Example

SHOWN = 5  # words a blank
BLANKS = (  # (sentence, the word that belongs at its first [MASK])
    ("The man went to the [MASK] to buy a gallon of milk.", "store"),
    ("She opened the [MASK] and walked into the room.", "door"),
    ("The capital of France is [MASK].", "paris"),
    ("He drank a cup of [MASK] before work.", "coffee"),
    ("The cat sat on the [MASK].", "mat"),
    ("Water boils when it is [MASK].", "hot"),
    ("He was born in 1905 and [MASK] in 1972.", "died"),
    ("A robin is a [MASK].", "bird"),
    ("A robin is not a [MASK].", "fish"),
    ("The native language of Victor Hugo is [MASK].", "french"),
)


def examples(model: BertForMaskedLM, tokenizer: Tokenizer) -> tuple[Example, ...]:
    """Answer all blanks; an answer is good if the expected word comes first."""
    return tuple(_blank(model, tokenizer, sentence, word) for sentence, word in BLANKS)


def _blank(model: BertForMaskedLM, tokenizer: Tokenizer, sentence: str, word: str) -> Example:
    asked = tokenizer.encode(sentence)
    with torch.inference_mode():
        logits = model(torch.tensor([asked.ids])).logits[0, asked.tokens.index("[MASK]")]
    best = logits.softmax(dim=0).topk(SHOWN)
    words = [tokenizer.id_to_token(index) or "" for index in best.indices.tolist()]
    told = ", ".join(f"{w} {p:.2f}" for w, p in zip(words, best.values.tolist(), strict=True))
    return Example(sentence, told, words[0] == word)
