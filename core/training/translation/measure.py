"""How good the translations are: BLEU on held-out sentences, against all their references.

Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine Translation", ACL 2002.
https://aclanthology.org/P02-1040; as sacrebleu counts it: https://arxiv.org/abs/1804.08771.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import MarianMTModel

from core.training.translation.network import BEAMS, LENGTH_PENALTY, NEW_TOKENS_LIMIT
from core.training.translation.pairs import Question
from core.training.translation.tokenizer import PAD

SENTENCES_AT_ONCE = 64


def translate(
    model: MarianMTModel,
    tokenizer: Tokenizer,
    sentences: Sequence[str],
    *,
    beams: int = BEAMS,
) -> list[str]:
    """Beam search with the paper's settings; similar lengths together."""
    encoded = [encoding.ids for encoding in tokenizer.encode_batch(list(sentences))]
    order = sorted(range(len(encoded)), key=lambda index: len(encoded[index]))
    said = [""] * len(encoded)
    generate: Any = model.generate  # pyright: ignore[reportAttributeAccessIssue]
    positions = model.config.max_position_embeddings
    for start in range(0, len(order), SENTENCES_AT_ONCE):
        members = order[start : start + SENTENCES_AT_ONCE]
        longest = len(encoded[members[-1]])
        ids = np.full((len(members), longest), PAD, dtype=np.int64)
        for row, member in zip(ids, members, strict=True):
            row[: len(encoded[member])] = encoded[member]
        source = torch.from_numpy(ids).to(model.device)
        with torch.inference_mode():
            made = generate(
                input_ids=source,
                attention_mask=(source != PAD).long(),
                num_beams=beams,
                length_penalty=LENGTH_PENALTY if beams > 1 else None,
                do_sample=False,
                max_length=None,
                max_new_tokens=min(longest + NEW_TOKENS_LIMIT, positions - 1),
            )
        for member, tokens in zip(members, made.tolist(), strict=True):
            said[member] = tokenizer.decode(tokens, skip_special_tokens=True)
    return said


def bleu(said: Sequence[str], questions: Sequence[Question]) -> float:
    """Corpus BLEU in per cent; every sentence against all its references."""
    from sacrebleu.metrics.bleu import BLEU

    most = max(len(question.references) for question in questions)
    references = [
        [
            question.references[number] if number < len(question.references) else None
            for question in questions
        ]
        for number in range(most)
    ]
    return BLEU().corpus_score(list(said), references).score  # pyright: ignore[reportArgumentType]


def exact(said: Sequence[str], questions: Sequence[Question]) -> float:
    """Share of the translations that are one of the references, to the letter."""
    pairs = zip(said, questions, strict=True)
    return float(np.mean([answer in question.references for answer, question in pairs]))
