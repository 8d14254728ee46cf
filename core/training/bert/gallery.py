"""Ten outputs of the shipped model for its card; right and wrong ones alike are shown."""

import torch
from tokenizers import Tokenizer
from transformers import BertForPreTraining

from core.training.bert.tokenizer import MASK
from core.training.common.card import Example

BLANKS = (  # (sentence, the word that belongs there)
    ("The capital of France is [MASK].", "paris"),
    ("The capital of Japan is [MASK].", "tokyo"),
    ("The native language of Victor Hugo is [MASK].", "french"),
    ("She opened the [MASK] and walked into the room.", "door"),
    ("He was born in 1905 and [MASK] in 1972.", "died"),
    ("The cat sat on the [MASK].", "mat"),
    ("Water boils when it is [MASK].", "hot"),
)
PAIRS = (  # (first, second, whether the second follows)
    (
        "The river rises in the mountains of northern Spain.",
        "It flows through three provinces before it reaches the sea.",
        True,
    ),
    (
        "The river rises in the mountains of northern Spain.",
        "The album sold two million copies in its first year.",
        False,
    ),
    (
        "Tom was so tired that he could hardly stand.",
        "He lay down under the tree and fell asleep.",
        True,
    ),
)
SHOWN = 5  # words a blank


def examples(model: BertForPreTraining, tokenizer: Tokenizer) -> tuple[Example, ...]:
    """Answer all blanks and pairs; an answer is good if the expected one comes first."""
    return tuple(
        [_blank(model, tokenizer, sentence, word) for sentence, word in BLANKS]
        + [_pair(model, tokenizer, first, second, follows) for first, second, follows in PAIRS]
    )


def _blank(model: BertForPreTraining, tokenizer: Tokenizer, sentence: str, word: str) -> Example:
    ids = tokenizer.encode(sentence).ids
    with torch.inference_mode():
        logits = model(torch.tensor([ids])).prediction_logits[0, ids.index(MASK)]
    best = logits.softmax(dim=0).topk(SHOWN)
    words = [tokenizer.id_to_token(int(index)) or "" for index in best.indices]
    told = ", ".join(f"{w} {p:.2f}" for w, p in zip(words, best.values.tolist(), strict=True))
    return Example(sentence, told, words[0] == word)


def _pair(
    model: BertForPreTraining, tokenizer: Tokenizer, first: str, second: str, follows: bool
) -> Example:
    encoding = tokenizer.encode(first, second)
    with torch.inference_mode():
        logits = model(
            torch.tensor([encoding.ids]), token_type_ids=torch.tensor([encoding.type_ids])
        ).seq_relationship_logits[0]
    probability = float(logits.softmax(dim=0)[0])
    return Example(
        f"{first} | {second}", f"follows: {probability:.2f}", (probability > 0.5) == follows
    )
