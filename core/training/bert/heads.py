"""Which heads show a known pattern: looking at the token before, after, the separators, itself.

Clark et al., "What Does BERT Look At?", 2019. https://arxiv.org/abs/1906.04341, section 3.
"""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float32
from transformers import BertForPreTraining

from core.training.bert.corpus import Corpus
from core.training.bert.examples import text_block
from core.training.bert.measure import SEED, tensors
from core.training.bert.tokenizer import SEP
from core.training.common.head_habits import describe, describe_flat, evenness

SEQUENCES, LENGTH = 32, 128  # of held-out text
PerHead = Float32[np.ndarray, "layer head"]


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Every head's map on sequences of held-out text, without padding."""

    weights: Float32[np.ndarray, "layer sequence head query key"]
    separators: Bool[np.ndarray, "sequence key"]


def looks(model: BertForPreTraining, corpus: Corpus) -> Looks:
    block = text_block(corpus, (SEQUENCES, LENGTH), np.random.default_rng(SEED))
    model.set_attn_implementation("eager")  # the one that returns its weights
    with torch.inference_mode():
        maps = model.bert(
            **tensors(block, block.ids, model.device), output_attentions=True
        ).attentions
    return Looks(torch.stack(maps).float().numpy(force=True), block.ids == SEP)


def pattern_weights(found: Looks) -> dict[str, PerHead]:
    """Mean weight that every head gives to each kind of place, over the word tokens."""
    inner = found.weights[:, :, :, 1:-1]  # neither [CLS] nor the last [SEP] asks
    separators = np.einsum("lshqk,sk->lhq", inner, found.separators.astype(np.float32))
    return {
        "the token before": np.diagonal(inner, 0, 3, 4).mean(axis=(1, 3)),
        "the token itself": np.diagonal(inner, 1, 3, 4).mean(axis=(1, 3)),
        "the token after": np.diagonal(inner, 2, 3, 4).mean(axis=(1, 3)),
        "the separators": separators.mean(axis=2) / SEQUENCES,
    }


def report(model: BertForPreTraining, corpus: Corpus) -> dict[str, str]:
    """The card's notes on the heads."""
    found = looks(model, corpus)
    keys = np.full(LENGTH, LENGTH, dtype=np.float32)
    even = [evenness(found.weights[:, sequence], keys) for sequence in range(SEQUENCES)]
    return {
        "heads": describe(pattern_weights(found)),
        "flat heads": describe_flat({"attention": np.mean(even, axis=0)}),
    }
