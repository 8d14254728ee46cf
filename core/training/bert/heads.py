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
CLEAR = 0.4  # mean weight from which a head is said to show a pattern
NAMED = 3  # heads named of each pattern, the clearest ones


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


def describe(patterns: dict[str, Float32[np.ndarray, "layer head"]]) -> str:
    """One sentence a pattern: how many heads show it clearly, and the clearest of them."""
    sentences: list[str] = []
    for name, weights in patterns.items():
        order = np.argsort(weights, axis=None)[::-1]
        places = [np.unravel_index(index, weights.shape) for index in order[:NAMED]]
        named = ", ".join(
            f"layer {layer} head {head} ({weights[layer, head]:.2f})" for layer, head in places
        )
        clear = int((weights >= CLEAR).sum())
        sentences.append(
            f"{clear} of {weights.size} heads give at least {CLEAR} to {name}; most: {named}."
        )
    return " ".join([*sentences, "Layers and heads count from 0."])
