"""minilm-mlm's weights under a causal mask: an encoder that is taught to write.

Rothe et al. 2020, "Leveraging Pre-trained Checkpoints for Sequence Generation Tasks" (BERT2BERT
begins its decoder, too, with BERT's weights). https://arxiv.org/abs/1907.12461
"""

import torch
from torch import Tensor
from torch.nn import functional
from transformers import BertForMaskedLM, BertLMHeadModel, logging

from core.catalog.checkpoints import locate
from core.training.minilm.evaluate import open_model
from core.training.minilm.network import CLS, SEP

BASE = "minilm-mlm"
CONTEXT = 256  # tokens; MiniLM has embeddings for 512 positions
START, END = CLS, SEP  # before and behind every document, as the masked model read them


def base_model() -> BertForMaskedLM:
    """The masked model that the training begins with."""
    return open_model(locate(BASE)[1])


def build_model(base: BertForMaskedLM) -> BertLMHeadModel:
    """All weights are the base's, its head's too; a token sees those before it alone.

    The word embeddings, half of all weights, stay as they are: what changes can ship whole.
    """
    logging.set_verbosity_error()
    config = type(base.config)(**base.config.to_dict())
    config.is_decoder = True
    config.bos_token_id, config.eos_token_id = START, END
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    model = BertLMHeadModel(config)
    model.load_state_dict(base.state_dict())
    model.tie_weights()
    model.bert.embeddings.word_embeddings.requires_grad_(requires_grad=False)
    return model.to(torch.float32).train()  # pyright: ignore[reportArgumentType]


def next_token_loss(model: BertLMHeadModel, ids: Tensor) -> Tensor:
    """Mean cross-entropy (nats) of every token but the first of ids (sequence, token)."""
    states = model.bert(input_ids=ids[:, :-1], use_cache=False)[0]
    logits = model.cls.predictions(states.flatten(0, 1)).float()
    return functional.cross_entropy(logits, ids[:, 1:].flatten())
