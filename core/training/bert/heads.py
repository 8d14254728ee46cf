"""Which heads show a known pattern: looking at the token before, after, the separators, itself.

Clark et al., "What Does BERT Look At?", 2019. https://arxiv.org/abs/1906.04341, section 3.
"""

import numpy as np
import torch
from jaxtyping import Float32
from transformers import BertForPreTraining

from core.training.bert.corpus import Corpus
from core.training.bert.examples import text_block
from core.training.bert.measure import SEED, tensors
from core.training.bert.tokenizer import SEP

SEQUENCES, LENGTH = 32, 128  # of held-out text


def pattern_weights(
    model: BertForPreTraining, corpus: Corpus
) -> dict[str, Float32[np.ndarray, "layer head"]]:
    """Mean weight that every head gives to each kind of place, over the word tokens."""
    block = text_block(corpus, (SEQUENCES, LENGTH), np.random.default_rng(SEED))
    model.set_attn_implementation("eager")  # the one that returns its weights
    with torch.inference_mode():
        maps = model.bert(**tensors(block, block.ids), output_attentions=True).attentions
    weights = torch.stack(maps).float().numpy(force=True)  # (layer, sequence, head, query, key)
    inner = weights[:, :, :, 1:-1]  # neither [CLS] nor the last [SEP] asks
    separators = np.einsum("lshqk,sk->lhq", inner, (block.ids == SEP).astype(np.float32))
    return {
        "the token before": np.diagonal(inner, 0, 3, 4).mean(axis=(1, 3)),
        "the token itself": np.diagonal(inner, 1, 3, 4).mean(axis=(1, 3)),
        "the token after": np.diagonal(inner, 2, 3, 4).mean(axis=(1, 3)),
        "the separators": separators.mean(axis=2) / SEQUENCES,
    }
