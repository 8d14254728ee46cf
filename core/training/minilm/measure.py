"""How many hidden words of unseen text the model finds; the seed is bert-mini's."""

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Bool, Int
from tokenizers import Tokenizer
from transformers import BertForMaskedLM

from core.training.bert.corpus import Corpus
from core.training.bert.masking import choose
from core.training.bert.measure import SEED, SEQUENCES_AT_ONCE, Score, score_of
from core.training.minilm.examples import text_rows
from core.training.minilm.network import MASK, WORDS


def masked_words(
    model: BertForMaskedLM, corpus: Corpus, *, blocks: int, length: int = 128
) -> Score:
    """15 % of the words behind [MASK] (all of them, unlike in training), one segment."""
    generator = np.random.default_rng(SEED)
    found: list[int] = []
    for _ in range(blocks):
        shape = SEQUENCES_AT_ONCE * 128 // length, length
        ids = text_rows(corpus, shape, generator)
        chosen = choose(ids >= WORDS[0], generator)
        found.extend(_ranks(model, ids, chosen))
    return score_of(found)


def sentence_words(model: BertForMaskedLM, tokenizer: Tokenizer, sentences: Sequence[str]) -> Score:
    """One whole word of every sentence behind [MASK]: of those that are one token, any."""
    generator = np.random.default_rng(SEED)
    found: list[int] = []
    for sentence in sentences:
        encoding = tokenizer.encode(sentence)
        in_pieces = [*(token.startswith("##") for token in encoding.tokens[1:]), False]
        whole = [
            place
            for place, (token, goes_on) in enumerate(zip(encoding.tokens, in_pieces, strict=True))
            if token.isalpha() and not goes_on
        ]
        if whole:
            ids = np.array([encoding.ids])
            chosen = np.zeros(ids.shape, dtype=np.bool_)
            chosen[0, whole[generator.integers(len(whole))]] = True
            found.extend(_ranks(model, ids, chosen))
    return score_of(found)


def _ranks(
    model: BertForMaskedLM,
    ids: Int[np.ndarray, "row token"],
    chosen: Bool[np.ndarray, "row token"],
) -> list[int]:
    """How many words the model holds for likelier than the right one, at each chosen place."""
    places = torch.from_numpy(np.flatnonzero(chosen)).to(model.device)
    hidden = torch.from_numpy(np.where(chosen, MASK, ids))
    with torch.inference_mode():
        states = model.bert(hidden.to(model.device)).last_hidden_state.flatten(0, 1)
        logits = model.cls.predictions(states[places])
        wanted = torch.from_numpy(ids).to(model.device).flatten()[places]
        right = logits.gather(1, wanted[:, None])
        return (logits > right).sum(dim=1).tolist()
