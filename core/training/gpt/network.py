"""The model of gpt-mini and its loss: an unmodified `transformers.GPT2LMHeadModel`.

Radford et al. 2019 (GPT-2): pre-LN, learned positions, GELU, the embedding is the output layer.
"""

from torch import Tensor
from torch.nn import functional
from transformers import GPT2Config, GPT2LMHeadModel

from core.training.gpt.tokenizer import END

LAYERS = 6
HEADS = 8
D_MODEL = 256
CONTEXT = 256  # tokens
VOCABULARY_SIZE = 8_192


def build_model(
    *,
    vocabulary_size: int = VOCABULARY_SIZE,
    layers: int = LAYERS,
    heads: int = HEADS,
    d_model: int = D_MODEL,
) -> GPT2LMHeadModel:
    """A freshly initialised model (normal, 0.02, as in GPT-2), without dropout."""
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=vocabulary_size,
            n_positions=CONTEXT,
            n_embd=d_model,
            n_layer=layers,
            n_head=heads,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=END,
            eos_token_id=END,
        )
    )


def next_token_loss(model: GPT2LMHeadModel, ids: Tensor) -> Tensor:
    """Mean cross-entropy (nats) of every token but the first of ids (sequence, token)."""
    hidden = model.transformer(ids[:, :-1], use_cache=False)[0]
    logits = model.lm_head(hidden).float().flatten(0, 1)
    return functional.cross_entropy(logits, ids[:, 1:].flatten())
