"""How many hidden words of held-out Wikipedia the model finds; the seed is bert-mini's."""

import numpy as np
import torch
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
        places = torch.from_numpy(np.flatnonzero(chosen))
        hidden = torch.from_numpy(np.where(chosen, MASK, ids))
        with torch.inference_mode():
            states = model.bert(hidden.to(model.device)).last_hidden_state.flatten(0, 1)
            logits = model.cls.predictions(states[places])
            right = logits.gather(1, torch.from_numpy(ids).flatten()[places][:, None])
            found.extend((logits > right).sum(dim=1).tolist())
    return score_of(found)
