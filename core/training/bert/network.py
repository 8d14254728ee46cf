"""The model of bert-mini and its two losses.

An unmodified `transformers.BertForPreTraining` (https://arxiv.org/abs/1810.04805), whose
vocabulary layer is computed at the masked positions only: a seventh of the work.
"""

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import UInt16
from torch import Tensor
from torch.nn import functional
from transformers import BertConfig, BertForMaskedLM, BertForPreTraining
from transformers.utils.generic import ModelOutput

from core.training.bert.examples import NO_QUESTION

Encoder = Callable[..., ModelOutput]  # `BertModel`, or its compiled form
LAYERS = 6
HEADS = 8
D_MODEL = 256
D_FF = 1024
MAX_POSITIONS = 512
VOCABULARY_SIZE = 9_472


def build_model(
    *,
    vocabulary_size: int = VOCABULARY_SIZE,
    layers: int = LAYERS,
    heads: int = HEADS,
    d_model: int = D_MODEL,
    d_ff: int = D_FF,
) -> BertForPreTraining:
    """A freshly initialised model (normal, 0.02, as in BERT), without dropout."""
    return BertForPreTraining(
        BertConfig(
            vocab_size=vocabulary_size,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            hidden_size=d_model,
            intermediate_size=d_ff,
            max_position_embeddings=MAX_POSITIONS,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )


def start_from_frequencies(model: BertForPreTraining, tokens: UInt16[np.ndarray, " token"]) -> None:
    """Set the vocabulary layer's bias to the tokens' log frequencies, where it would soon be."""
    vocabulary_size = model.config.vocab_size
    counts = np.bincount(tokens, minlength=vocabulary_size) + 1.0
    with torch.no_grad():
        bias = model.cls.predictions.bias
        bias.copy_(torch.from_numpy(np.log(counts / counts.sum())))


def masked_logits(
    model: BertForMaskedLM | BertForPreTraining, hidden: Tensor, positions: Tensor
) -> Tensor:
    """Logits (chosen, vocabulary) at flat positions of hidden (sequence, token, d_model)."""
    return model.cls.predictions(hidden.flatten(0, 1)[positions])


def losses(
    model: BertForPreTraining,
    encoder: Encoder,
    *,
    inputs: dict[str, Tensor],
    masked: tuple[Tensor, Tensor],
    is_other: Tensor,
) -> tuple[Tensor, Tensor]:
    """Mean masked-LM loss and mean next-sentence loss (zero where no pair is asked about).

    `encoder` is `model.bert` or its compiled form; `masked` is (flat positions, targets).
    `is_other` may lie on the CPU, where a look at it keeps no GPU waiting.
    """
    hidden, pooled = encoder(**inputs)[:2]
    positions, targets = masked
    words = functional.cross_entropy(
        masked_logits(model, hidden, positions).float(),
        targets,
        ignore_index=NO_QUESTION,
    )
    if bool((is_other == NO_QUESTION).all()):
        return words, words.new_zeros(())
    answers = model.cls.seq_relationship(pooled).float()  # (sequence, 2)
    asked = is_other.to(answers.device)
    return words, functional.cross_entropy(answers, asked, ignore_index=NO_QUESTION)
