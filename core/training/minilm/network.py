"""MiniLM with a masked-LM head: pretrained weights, a fresh transform, tied to its own words.

Wang et al. 2020, https://arxiv.org/abs/2002.10957; the head is BERT's (Devlin et al. 2019,
https://arxiv.org/abs/1810.04805): dense, GELU, LayerNorm, then the word embeddings and a bias.
"""

from pathlib import Path

import numpy as np
import torch
from jaxtyping import UInt16
from tokenizers import Tokenizer
from transformers import BertForMaskedLM, logging

from core.catalog.checkpoints import locate

BASE = "minilm-l6"
PAD, CLS, SEP, MASK = 0, 101, 102, 103  # of BERT's published vocabulary
WORDS = (999, 30_522)  # first and end of the ids that are text; those below are special or unused


def base_folder() -> Path:
    """Where the pretrained encoder lies on this machine, its hashes checked."""
    return locate(BASE)[1]


def build_model(folder: Path, *, attention: str = "eager") -> BertForMaskedLM:
    """The encoder of `folder` with a fresh head, without dropout."""
    logging.set_verbosity_error()  # it would tell that the head is missing, which is the point
    model = BertForMaskedLM.from_pretrained(
        folder,
        dtype=torch.float32,
        attn_implementation=attention,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return model.train()


def start_from_frequencies(model: BertForMaskedLM, tokens: UInt16[np.ndarray, " token"]) -> None:
    """Set the bias of the vocabulary layer to the tokens' log frequencies."""
    counts = np.bincount(tokens, minlength=model.config.vocab_size) + 1.0
    with torch.no_grad():
        bias = model.cls.predictions.bias
        bias.copy_(torch.from_numpy(np.log(counts / counts.sum())))


def read_tokenizer(folder: Path) -> Tokenizer:
    """BERT's WordPiece tokenizer, without the padding that the package asks for."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
