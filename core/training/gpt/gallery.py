"""Ten continuations by the shipped model for its card; right and wrong ones alike are shown."""

from typing import Any

import torch
from tokenizers import Tokenizer
from transformers import PreTrainedModel

from core.training.common.card import Example

NEXT = (  # (a beginning, the word that belongs there)
    ("Once upon a", "time"),
    ("She opened the", "door"),
    ("He was born in the United", "States"),
    ("in the nineteenth", "century"),
    ("The capital of France is", "Paris"),
    ("Tom and Mary were walking. Tom turned and looked at", "Mary"),
)
STORIES = (  # (a beginning, a word that shows that the story keeps to it)
    ("The little rabbit ran into the wood, and there", "rabbit"),
    ("The ship sailed out of the harbour, and the captain", "ship"),
    ("The king said to his daughter:", "king"),
    ("The war began in 1914, when", "war"),
)
SHOWN = 5  # words a beginning
STORY_TOKENS = 40
SEED, TEMPERATURE, TOP_K = 0, 0.8, 40  # of the sampling


def examples(model: PreTrainedModel, tokenizer: Tokenizer) -> tuple[Example, ...]:
    """Good is a next word that comes first as expected, and a story that comes back to its word."""
    return tuple(
        [_next(model, tokenizer, text, word) for text, word in NEXT]
        + [_story(model, tokenizer, text, word) for text, word in STORIES]
    )


def _next(model: PreTrainedModel, tokenizer: Tokenizer, text: str, word: str) -> Example:
    ids = torch.tensor([tokenizer.encode(text).ids])
    with torch.inference_mode():
        best = model(ids).logits[0, -1].softmax(dim=0).topk(SHOWN)
    tokens = [tokenizer.decode([index]) for index in best.indices.tolist()]
    told = ", ".join(
        f"{token.strip()} {p:.2f}" for token, p in zip(tokens, best.values.tolist(), strict=True)
    )
    return Example(text, told, tokens[0].lower() == f" {word}".lower())


def _story(model: PreTrainedModel, tokenizer: Tokenizer, text: str, word: str) -> Example:
    ids = torch.tensor([tokenizer.encode(text).ids])
    torch.manual_seed(SEED)
    generate: Any = model.generate  # pyright: ignore[reportAttributeAccessIssue]
    with torch.inference_mode():
        made = generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=True,
            temperature=TEMPERATURE,
            top_k=TOP_K,
            max_new_tokens=STORY_TOKENS,
        )
    told = tokenizer.decode(made[0, ids.shape[1] :].tolist())
    return Example(text, told, word in told.lower())
