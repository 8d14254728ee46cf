"""Sequences of running text: `[CLS]`, then one document's tokens, then `[SEP]`, never padded."""

import numpy as np
from jaxtyping import Int

from core.training.bert.corpus import Corpus
from core.training.bert.examples import run_of_tokens
from core.training.minilm.network import CLS, SEP


def text_rows(
    corpus: Corpus, shape: tuple[int, int], generator: np.random.Generator
) -> Int[np.ndarray, "row token"]:
    """Draw (sequences, tokens), each from a sentence's start on."""
    n_rows, length = shape
    runs = [run_of_tokens(corpus, length - 2, generator) for _ in range(n_rows)]
    return np.stack([np.concatenate([[CLS], run, [SEP]]) for run in runs])
