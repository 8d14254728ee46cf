"""What is kept of a causal model at a moment of its training."""

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import PreTrainedModel

from core.training.common.device import attention_told
from core.training.common.export import moments
from core.training.common.loop import History
from core.training.gpt.corpus import Prepared
from core.training.gpt.measure import bits_per_byte
from core.training.gpt.tokenizer import END

POSITIONS = 64  # embeddings kept
SENTENCE = "The old dog slept, because it was tired. The old dog"
TOKENS = 3_000  # of either text, for the figures


def moment(
    model: PreTrainedModel,
    positions: torch.Tensor,
    prepared: Prepared,
    *,
    context: int,
    start: int = END,
) -> dict[str, torch.Tensor]:
    """Position embeddings, one sentence's attention maps, and figures on held-out text.

    positions: all of the model's (position, d_model). The model trains on afterwards.
    """
    model.eval()
    ids = torch.tensor([prepared.tokenizer.encode(SENTENCE).ids], device=model.device)
    with torch.inference_mode(), attention_told(model):
        maps = model(ids, output_attentions=True, use_cache=False).attentions
    figures = [
        bits_per_byte(
            model, prepared.tokenizer, documents, tokens=TOKENS, context=context, start=start
        )
        for documents in (prepared.held_out.wiki, prepared.held_out.books)
    ]
    model.train()
    return {
        "positions": positions[:POSITIONS].detach().half().cpu(),  # (position, d_model)
        "attention": torch.cat(maps).half().cpu(),  # (layer, head, query, key)
        "metrics": torch.tensor(figures),
    }


def snapshots(history: History, tokenizer: Tokenizer) -> dict[str, np.ndarray]:
    """The moments of the training, stacked; `steps` and `fractions` say when they were.

    positions (moment, position, d_model) and attention (moment, layer, head, query, key) are
    float16; metrics (moment, 2) are bits a byte on a small part of the held-out text.
    """
    return moments(history) | {
        "metric_names": np.array(["bits_per_byte_wiki", "bits_per_byte_books"]),
        "tokens": np.array(tokenizer.encode(SENTENCE).tokens),
        "sentence": np.array(SENTENCE),
    }
